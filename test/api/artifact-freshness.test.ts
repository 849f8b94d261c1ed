import fc from 'fast-check';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {exampleRepository, openRepositoryWorld, type RepositoryWorld} from './repository-world.ts';

let world: RepositoryWorld;
const example = exampleRepository();

beforeAll(async () => {
  world = await openRepositoryWorld();
  await world.addRepository('configurations', example.folder);
});
afterAll(() => world.close());

const DEVICES = ['brn1-leaf-1', 'brn1-edge-1'] as const;
const device = fc.constantFrom(...DEVICES);
const word = fc.constantFrom('one', 'two', 'three');

/** Changes of what the artifacts read, of what they do not, and of both at once. */
const change = fc.oneof(
  fc
    .record({device, word})
    .map(
      ({device: on, word: text}) =>
        `InfraDeviceUpdate(data: {hfid: ["${on}"], domain: {value: "${text}.example"}}) { ok }`,
    ),
  fc
    .record({device, word})
    .map(
      ({device: on, word: text}) =>
        `InfraPhysicalInterfaceUpdate(data: {hfid: ["${on}", "eth1"], description: {value: "${text}"}}) { ok }`,
    ),
  fc
    .record({device, word})
    .map(
      ({device: on, word: text}) =>
        `InfraPhysicalInterfaceUpsert(data: {name: {value: "${text}"}, device: {hfid: ["${on}"]}, enabled: {value: ${text === 'one'}}}) { ok }`,
    ),
  device.map(on => `InfraDeviceUpdate(data: {hfid: ["${on}"], asn: {hfid: ["64999"]}}) { ok }`),
  device.map(on => `InfraDeviceUpdate(data: {hfid: ["${on}"], asn: null}) { ok }`),
  word.map(text => `LocationSiteUpdate(data: {hfid: ["Bern 1"], time_zone: {value: "${text}"}}) { ok }`),
  word.map(text => `BuiltinTagUpsert(data: {name: {value: "${text}"}}) { ok }`),
);

test('whatever changes, and however much at once, every artifact ends up as it would be rendered now', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, {minLength: 1, maxLength: 8}), async changes => {
      await Promise.all(changes.map(each => world.data(`mutation { change: ${each} }`)));
      await world.settled();
      const artifacts = await world.artifacts();
      for (const name of DEVICES) {
        const rendered = await world.text(`/api/transform/jinja2/device_configuration?device=${name}`);
        const kept = await world.text(`/api/artifact/${artifacts[`${name} startup-config`].id}`);
        expect(kept.text).toBe(rendered.text);
        const facts = await world.text(`/api/transform/python/device_facts?device=${name}`);
        const keptFacts = await world.text(`/api/artifact/${artifacts[`${name} facts`].id}`);
        expect(JSON.parse(keptFacts.text)).toEqual(JSON.parse(facts.text));
      }
    }),
    {numRuns: 8, endOnFailure: true},
  );
});
