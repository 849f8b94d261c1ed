import {expect, test} from 'vitest';
import {kind, MAIN, openWorld, text} from '../../../test/api/schema-world.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {mergedRecords} from './merge-schema.ts';
import {putRecords} from './put-schema.ts';

async function forked() {
  const world = await openWorld();
  await world.load({
    nodes: [
      kind('Device', {
        attributes: [
          text('name'),
          {name: 'status', kind: 'Dropdown', optional: true, choices: [{name: 'up'}]},
        ],
      }),
      kind('Site', {attributes: [text('name')]}),
    ],
  });
  const branch = await world.branch('feature');
  const fork = world.store.now();
  const records = async (name: BranchName, at?: typeof fork) =>
    (await world.store.snapshot(at === undefined ? {branch: name} : {branch: name, at})).kinds();
  const merge = async (choose?: Parameters<typeof mergedRecords>[3]) =>
    mergedRecords(await records(MAIN, fork), await records(MAIN), await records(branch), choose);
  return {world, branch, merge};
}

const status = (...names: readonly string[]) => ({
  nodes: [
    kind('Device', {
      attributes: [
        text('name'),
        {name: 'status', kind: 'Dropdown', optional: true, choices: names.map(name => ({name}))},
      ],
    }),
  ],
});

test('different choices and attributes of two branches unite without a conflict', async () => {
  const {world, branch, merge} = await forked();
  await world.load(status('up', 'down'));
  await world.load(status('up', 'planned'), branch);
  await world.load({nodes: [kind('Device', {attributes: [text('role', {default_value: 'leaf'})]})]}, branch);
  const id = await world.create('InfraDevice', {name: 'a'});
  const {records, schema, conflicts, problems} = await merge();
  expect([conflicts, problems]).toEqual([[], []]);
  await world.commit(draft => putRecords(draft, records));
  expect(await world.hash()).toBe(schema.hash);
  expect(await world.value(id, 'role')).toBe('leaf');
  const {body} = await world.get('/api/schema/InfraDevice');
  const names = body.attributes.find((each: {name: string}) => each.name === 'status').choices;
  expect(names.map((each: {name: string}) => each.name).sort()).toEqual(['down', 'planned', 'up']);
  expect(await world.problems()).toEqual([]);
});

test('what both sides changed differently is a conflict, settled to either', async () => {
  const {world, branch, merge} = await forked();
  await world.load({nodes: [kind('Site', {label: 'Place'})]});
  await world.load({nodes: [kind('Site', {label: 'Spot'})]}, branch);
  const {conflicts} = await merge();
  expect(conflicts).toMatchObject([{path: 'InfraSite.label', ours: 'Place', theirs: 'Spot'}]);
  expect((await merge(() => 'ours')).schema.nodes.get('InfraSite')?.label).toBe('Place');
  expect((await merge(() => 'theirs')).schema.nodes.get('InfraSite')?.label).toBe('Spot');
});

test('sides that are each right and wrong together are told', async () => {
  const {world, branch, merge} = await forked();
  await world.load({nodes: [kind('Site', {state: 'absent'})]});
  await world.load({nodes: [kind('Device', {relationships: [{name: 'site', peer: 'InfraSite'}]})]}, branch);
  const {conflicts, problems} = await merge();
  expect(conflicts).toEqual([]);
  expect(problems.map(({path}) => path)).toEqual(['InfraDevice.site.peer']);
});
