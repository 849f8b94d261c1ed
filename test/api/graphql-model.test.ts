import fc from 'fast-check';
import {execute, parse, validate} from 'graphql';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {recordsOf} from '../../src/app/schema/schema-records.ts';
import {must} from '../../src/base/assert.ts';
import {viewOf} from '../../src/domain/access/view.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import {formatInstant, type Instant} from '../../src/domain/time/instant.ts';
import {GraphModel} from '../../src/ports/graph-model.ts';
import type {GraphStore} from '../../src/ports/graph-store.ts';
import {TickingClock} from '../../src/ports/graph-store-fixtures.ts';
import {Answerer} from '../../src/wire/graphql/answerer.ts';
import type {FieldContext} from '../../src/wire/graphql/engine.ts';
import {plainResolver} from '../../src/wire/graphql/plain/plain-resolver.ts';
import {Fragments} from '../../src/wire/graphql/plan/fragments.ts';
import {Dice} from './graphql-documents-fixtures.ts';
import {type GraphqlWorld, MAIN, openGraphql} from './graphql-fixtures.ts';

/*
 * One history is lived by the real store and by the naive model. Random filters, orders and pages are then asked of
 * both: of the store by the compiled plans, of the model by graphql-js and resolvers that look at everything.
 */
const BRANCHES = ['main', 'work', 'deep'] as const;
const NAMES = ['alpha', 'bravo', 'Charlie', 'delta', 'echo-1', 'echo-2', 'été', 'foxtrot'];
const TAGS = ['red', 'green', 'blue'];

let world: GraphqlWorld;
let model: GraphModel;
let answerer: Answerer;
let past: {readonly store: Instant; readonly model: Instant};

const idOf = (number: number): NodeId =>
  `00000000-0000-7000-9000-${number.toString(16).padStart(12, '0')}` as NodeId;
const TAG_IDS = TAGS.map((_, place) => idOf(100 + place));
const REGION_IDS = [idOf(200), idOf(201)];
const SITE_IDS = [idOf(210), idOf(211), idOf(212)];

/** The same steps for both, from one seed. */
async function live(store: GraphStore): Promise<Instant> {
  const dice = new Dice(42);
  const write = (branch: string, body: Parameters<GraphStore['write']>[2]) =>
    store.write(branch as BranchName, {account: null}, body);
  await write(MAIN, async draft => {
    for (const [place, name] of TAGS.entries()) {
      await draft.create({id: TAG_IDS[place]!, kind: 'BuiltinTag', attributes: {name: {value: name}}});
    }
    for (const [place, id] of REGION_IDS.entries()) {
      await draft.create({id, kind: 'LocationRegion', attributes: {name: {value: `region ${place}`}}});
    }
    for (const [place, id] of SITE_IDS.entries()) {
      await draft.create({id, kind: 'LocationSite', attributes: {name: {value: `site ${place}`}}});
      await draft.link({node: id, relationship: 'parent', peer: REGION_IDS[place % 2]!});
    }
  });
  let devices = 0;
  const addDevices = (branch: string, count: number) =>
    write(branch, async draft => {
      for (let index = 0; index < count; index += 1) {
        devices += 1;
        const id = idOf(1000 + devices);
        const attributes = {
          name: {value: `${dice.pick(NAMES)} ${devices}`},
          height: {value: dice.chance(20) ? null : dice.below(6) * 10},
          status: {value: dice.pick(['active', 'drained', null])},
          role: {value: dice.pick(['leaf', 'spine', null])},
          mgmt: {value: dice.chance(30) ? null : `10.0.${dice.below(3)}.${dice.below(20)}/24`},
          is_virtual: {value: dice.chance(30), ...(dice.chance(20) ? {isProtected: true} : {})},
          installed: {value: dice.chance(50) ? null : `2026-0${1 + dice.below(8)}-01T00:00:00Z`},
          ...(dice.chance(30) ? {vlans: {value: [dice.pick(['a', 'b']), 1]}} : {}),
        };
        await draft.create({id, kind: 'InfraDevice', attributes});
        if (dice.chance(80)) {
          await draft.link({node: id, relationship: 'site', peer: dice.pick(SITE_IDS)});
        }
        for (const tag of TAG_IDS) {
          if (dice.chance(40)) await draft.link({node: id, relationship: 'tags', peer: tag});
        }
        for (let port = dice.below(3); port > 0; port -= 1) {
          const own = idOf(100_000 + devices * 10 + port);
          const speed = {value: dice.pick([null, 1000, 2000])};
          await draft.create({
            id: own,
            kind: 'InfraInterface',
            attributes: {name: {value: `eth${port}`}, speed},
          });
          await draft.link({node: own, relationship: 'device', peer: id});
        }
      }
    });
  const change = (branch: string, count: number) =>
    write(branch, async draft => {
      for (let index = 0; index < count; index += 1) {
        const id = idOf(1001 + dice.below(devices));
        const [value, site] = [dice.below(6) * 10, dice.pick(SITE_IDS)];
        const [isGone, moves] = [dice.chance(15), dice.chance(30)];
        if ((await draft.node(id)) === undefined) continue;
        if (isGone) {
          for (const {id: port} of await draft.neighbours(id, 'interfaces')) await draft.delete(port);
          await draft.delete(id);
          continue;
        }
        await draft.update(id, {height: {value}});
        if (!moves) continue;
        for (const {id: old} of await draft.neighbours(id, 'site')) {
          await draft.unlink({node: id, relationship: 'site', peer: old});
        }
        await draft.link({node: id, relationship: 'site', peer: site});
      }
    });
  const fork = (name: string, origin: string) =>
    store.createBranch(
      {name: name as BranchName, origin: origin as BranchName, description: '', syncWithGit: false},
      {account: null},
    );
  await addDevices(MAIN, 25);
  await change(MAIN, 5);
  const then = store.now();
  await fork('work', MAIN);
  await addDevices('work', 5);
  await change('work', 8);
  await change(MAIN, 8);
  await fork('deep', 'work');
  await change('deep', 8);
  await addDevices(MAIN, 5);
  return then;
}

beforeAll(async () => {
  world = await openGraphql();
  answerer = new Answerer(world.services);
  model = new GraphModel({clock: new TickingClock(), defaultBranch: MAIN});
  const snapshot = await world.store.snapshot({branch: MAIN});
  const {schemas} = world.services;
  await model.write(MAIN, {account: null}, async draft => {
    for (const record of recordsOf(schemas.source(snapshot), schemas.of(snapshot)).values()) {
      await draft.putKind(record);
    }
  });
  past = {model: await live(model), store: await live(world.store)};
});

afterAll(() => world.close());

const COMPARISONS = ['value', 'gt', 'gte', 'lt', 'lte'];

/** One filter of the flat families, for the devices. */
function flat(dice: Dice): string {
  return dice.pick<() => string>([
    () => `name__value: "${dice.pick(NAMES)} ${1 + dice.below(25)}"`,
    () => `name__values: ["${dice.pick(NAMES)} 1", "${dice.pick(NAMES)} 2", "${dice.pick(NAMES)} 3"]`,
    () => `name__${dice.pick(['contains', 'starts_with'])}: "${dice.pick(['e', 'E', 'é', 'ch', 'a', ' 1'])}"`,
    () => `height__${dice.pick(COMPARISONS)}: ${dice.below(7) * 10}`,
    () => `height__between: [${dice.below(3) * 10}, ${dice.below(6) * 10}]`,
    () => `height__isnull: ${dice.chance(50)}`,
    () => `status__value: "${dice.pick(['active', 'drained'])}"`,
    () => `role__values: ["leaf"]`,
    () => `mgmt__${dice.pick(['gt', 'lte'])}: "10.0.${dice.below(3)}.${dice.below(20)}/24"`,
    () => `installed__gte: "2026-0${1 + dice.below(8)}-01T00:00:00Z"`,
    () => `is_virtual__is_protected: ${dice.chance(50)}`,
    () => `site__name__value: "site ${dice.below(4)}"`,
    () => `site__ids: ["${dice.pick(SITE_IDS)}"]`,
    () => `site__isnull: ${dice.chance(50)}`,
    () => `tags__name__values: ["${dice.pick(TAGS)}", "${dice.pick(TAGS)}"]`,
    () => `tags__isnull: ${dice.chance(50)}`,
    () => `interfaces__speed__value: ${dice.pick([1000, 2000])}`,
    () => `ids: ["${idOf(1001 + dice.below(30))}", "${idOf(1001 + dice.below(30))}"]`,
    () => `any__value: ${dice.pick(['"leaf"', '"10"', '"active"'])}`,
    () => `name__value: "${dice.pick(['ALPHA', 'e', '1'])}", partial_match: true`,
  ])();
}

function where(dice: Dice, depth: number): string {
  if (depth > 0 && dice.chance(50)) {
    const inner = () => `{${where(dice, depth - 1)}}`;
    return dice.pick<() => string>([
      () => `AND: [${inner()}, ${inner()}]`,
      () => `OR: [${inner()}, ${inner()}]`,
      () => `NOT: ${inner()}`,
    ])();
  }
  return dice.pick<() => string>([
    () => `height: {${dice.pick(COMPARISONS)}: ${dice.below(7) * 10}}`,
    () => `name: {contains: "${dice.pick(['e', 'É', 'A'])}", ignore_case: ${dice.chance(50)}}`,
    () => `site: {parent: {name: {value: "region ${dice.below(3)}"}}}`,
    () => `site: {name: {value: "site ${dice.below(4)}"}}`,
    () => `tags: {name: {value: "${dice.pick(TAGS)}"}}`,
    () => `interfaces: {speed: {isnull: ${dice.chance(50)}}}`,
    () => `role: {isnull: ${dice.chance(50)}}`,
  ])();
}

function document(dice: Dice): string {
  const args: string[] = [];
  if (dice.chance(70)) args.push(flat(dice));
  if (dice.chance(50)) args.push(`where: {${where(dice, 2)}}`);
  if (dice.chance(30)) {
    args.push(
      `order: ${dice.pick(['{node_metadata: {updated_at: DESC}}', '{node_metadata: {created_at: ASC}}'])}`,
    );
  }
  if (dice.chance(50)) args.push(`limit: ${1 + dice.below(8)}, offset: ${dice.below(4)}`);
  const inner = dice.chance(50) ? `(speed__gte: ${dice.pick([1000, 2000])}, limit: 2)` : '';
  const list = args.length === 0 ? '' : `(${args.join(', ')})`;
  return `{ InfraDevice${list} { count edges { node {
    id display_label hfid name { value is_default } height { value is_default } mgmt { value ip }
    site { node { display_label parent { node { name { value } } } } }
    tags { count edges { node { name { value } } } }
    interfaces${inner} { count edges { node { name { value } speed { value } } } }
  } } } }`;
}

async function byModel(query: string, branch: BranchName, at: Instant | undefined): Promise<unknown> {
  const {services, caller} = world;
  const snapshot = await model.snapshot(at === undefined ? {branch} : {branch, at});
  const schema = services.schemas.of(await world.store.snapshot({branch: MAIN}));
  const face = answerer.face(schema);
  const list = {schema, wheres: face.wheres, limits: services.limits, fragments: new Fragments(0)};
  const view = viewOf(caller.access, schema, branch === MAIN);
  const contextValue: FieldContext = {services, caller, view, branch, snapshot, at, schema, list};
  const {data, errors} = await execute({
    schema: face.graphql,
    document: parse(query),
    contextValue,
    fieldResolver: plainResolver as never,
  });
  return JSON.parse(JSON.stringify({data, ...(errors === undefined ? {} : {errors})}));
}

test('random queries answer as the naive model does: on main, on branches, in the past', async () => {
  const schema = answerer.face(world.services.schemas.of(await world.store.snapshot({branch: MAIN}))).graphql;
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.constantFrom(...BRANCHES),
      fc.integer({min: 0, max: 4}),
      async (seed, name, age) => {
        const query = document(new Dice(seed));
        expect(validate(schema, parse(query)).map(({message}) => message)).toEqual([]);
        const branch = name as BranchName;
        const isPast = age === 0 && name === 'main';
        const answer = await answerer.answer({
          branch,
          at: isPast ? formatInstant(past.store) : undefined,
          caller: world.caller,
          query,
          variables: {},
          operationName: undefined,
          requestId: 'x',
        });
        const told = JSON.parse(answer.text);
        found += must(told.data, answer.text).InfraDevice.edges.length;
        expect(told).toEqual(await byModel(query, branch, isPast ? past.model : undefined));
      },
    ),
    {numRuns: 150},
  );
  expect(found).toBeGreaterThan(100);
}, 300_000);
