import fc from 'fast-check';
import {expect, test} from 'vitest';
import {DECISION} from '../../src/domain/access/grants.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import {chosen} from '../../src/ports/graph-store-fixtures.ts';
import {ADMIN_KEY, MAIN, openAccessWorld} from './access-world.ts';

/**
 * Changing what a caller may not view changes nothing in any answer, count, cursor or error of theirs. The caller
 * sees everything but sites, and of devices everything but the serial. Random changes of sites, of serials and of
 * links to sites must leave every answer as it was.
 */
const world = await openAccessWorld();
const WORK = 'work' as BranchName;
const BRANCHES = [MAIN, WORK];

const text = (name: string, rest: object = {}) => ({name, kind: 'Text', optional: true, ...rest});
const loaded = await world.ask('POST', '/api/schema/load', {
  headers: ADMIN_KEY,
  payload: {
    schemas: [
      {
        version: '1.0',
        generics: [{namespace: 'Infra', name: 'Place', attributes: [text('name', {optional: false})]}],
        nodes: [
          {
            namespace: 'Infra',
            name: 'Site',
            inherit_from: ['InfraPlace'],
            display_labels: ['name__value'],
            order_by: ['name__value'],
            attributes: [text('note')],
            relationships: [
              {name: 'devices', peer: 'InfraDevice', cardinality: 'many', identifier: 'site__device'},
            ],
          },
          {
            namespace: 'Infra',
            name: 'Device',
            inherit_from: ['InfraPlace'],
            display_label: '{{ name__value }} {{ site__name__value }}',
            order_by: ['serial__value'],
            attributes: [text('serial'), text('role')],
            relationships: [
              {name: 'site', peer: 'InfraSite', cardinality: 'one', identifier: 'site__device'},
              {name: 'places', peer: 'InfraPlace', cardinality: 'many', identifier: 'device__place'},
              {name: 'tags', peer: 'BuiltinTag', cardinality: 'many', identifier: 'device__tag'},
            ],
          },
        ],
      },
    ],
  },
});
expect(loaded.status, JSON.stringify(loaded.body)).toBe(200);

const sites: NodeId[] = [];
for (const name of ['atl', 'ber', 'cph']) sites.push(await world.make('InfraSite', {name, note: name}));
const tag = await world.make('BuiltinTag', {name: 'red'});
const devices: NodeId[] = [];
for (const [index, name] of ['r1', 'r2', 'r3'].entries()) {
  const links = {site: sites[index]!, places: [sites[0]!], tags: tag};
  devices.push(await world.make('InfraDevice', {name, serial: `${9 - index}`, role: 'leaf'}, links));
}
await world.store.createBranch(
  {name: WORK, origin: MAIN, description: '', syncWithGit: false},
  {account: null},
);

const set = (branch: BranchName, id: NodeId, values: Readonly<Record<string, string>>) =>
  world.store.write(branch, {account: null}, async draft => {
    if ((await draft.node(id)) !== undefined) await draft.update(id, chosen(values));
  });

// Something to be seen on both sides, and a conflict over it.
await set(WORK, devices[0]!, {role: 'spine'});
await set(MAIN, devices[0]!, {role: 'border'});
await world.store.write(WORK, {account: null}, draft => draft.delete(devices[2]!));
await world.make('InfraDevice', {name: 'r4', serial: '0'}, {tags: tag}, WORK);

/** A permission is there once, whoever has it. */
async function permission(kind: string, wanted: Readonly<Record<string, string | number>>): Promise<NodeId> {
  const {found} = await (await world.store.snapshot({branch: MAIN})).query({kind});
  const isIt = ({node}: (typeof found)[number]) =>
    Object.entries({attribute: '', ...wanted}).every(([name, value]) => (node.value(name) ?? '') === value);
  return found.find(isIt)?.node.id ?? world.make(kind, wanted);
}

const view = (parts: Readonly<Record<string, string | number>>) =>
  permission('CoreObjectPermission', {action: 'view', ...parts});
const role = await world.make(
  'CoreAccountRole',
  {name: 'onlooker'},
  {
    permissions: [
      await view({namespace: '*', name: '*', decision: DECISION.allow_all}),
      await view({namespace: 'Infra', name: 'Site', decision: DECISION.deny}),
      await view({namespace: 'Infra', name: 'Device', attribute: 'serial', decision: DECISION.deny}),
    ],
  },
);
const {key} = await world.account('onlooker', [role]);

const NODE = 'id display_label hfid _updated_at name { value updated_at }';
const METADATA = 'node_metadata { created_at updated_at updated_by { id } }';
const CONFLICT = `conflict { uuid base_branch_action base_branch_value base_branch_changed_at base_branch_label
  diff_branch_action diff_branch_value diff_branch_changed_at diff_branch_label }`;
const DIFF = `uuid kind label status last_changed_at last_changed_by contains_conflict path_identifier num_added num_updated num_removed num_conflicts
  ${CONFLICT} parent { uuid kind } attributes { name status last_changed_at ${CONFLICT} properties { property_type previous_value new_value } }
  relationships { name status last_changed_at elements { peer_id peer_label status last_changed_at ${CONFLICT} properties { property_type previous_value new_value } } }`;
const EVENT = 'cursor node { id event_type node_id kind account_id changes payload occurred_at }';
const PAGE = 'pageInfo { hasNextPage endCursor }';

const ASKED: readonly string[] = [
  `{ InfraPlace { count edges { cursor ${METADATA} node { ${NODE} } } ${PAGE} } }`,
  `{ InfraPlace(first: 1) { edges { cursor node { id } } ${PAGE} } }`,
  `{ InfraDevice { count edges { cursor ${METADATA} node { ${NODE} serial { value } places { count edges { node { id } } } tags { count } } } } }`,
  '{ InfraDevice { edges { node { site { node { id } } } } } }',
  '{ BuiltinTag { count edges { node { id member_of_groups { count } } } } }',
  '{ CoreNode(any__value: "atl") { count } }',
  '{ InfraDevice(any__value: "9") { count } }',
  '{ InfraDevice(serial__value: "9") { count } }',
  '{ InfraDevice(site__name__value: "atl") { count } }',
  '{ InfraDevice(places__name__value: "atl") { count } }',
  '{ InfraDevice(places__isnull: true) { count } }',
  '{ InfraPlace(name__value: "atl") { count } }',
  '{ InfraSite { count } }',
  '{ InfraDevice(order: {by: [{path: "serial__value"}]}) { edges { node { id } } } }',
  '{ InfraDevice(order: {node_metadata: {updated_at: DESC}}) { edges { node { id } } } }',
  '{ BuiltinTag(order: {node_metadata: {updated_at: DESC}}) { edges { node { id } } } }',
  '{ InfraDevice(node_metadata__updated_at__after: "2030-01-01T00:00:00Z") { count } }',
  `{ InfraDevice { edges { node { history(first: 2) { edges { cursor node { occurred_at action changes { field previous_value new_value } } } ${PAGE} } } } } }`,
  '{ Relationship(ids: ["device__place", "site__device", "device__tag"]) { count edges { node { peers { id kind } } } } }',
  `{ DiffTree(branch: "work") { num_added num_updated num_removed num_conflicts nodes { ${DIFF} } } }`,
  `{ DiffTree(branch: "work", limit: 1, include_parents: false) { nodes { uuid } } }`,
  '{ DiffTreeSummary(branch: "work") { num_added num_updated num_removed num_conflicts num_unchanged } }',
  `{ ServiceCommit(first: 3) { edges { cursor node { id author message num_nodes num_relationships committed_at } } ${PAGE} } }`,
  `{ ServiceCommit(branch: "work") { edges { node { id num_nodes num_relationships } } ${PAGE} } }`,
  `{ ServiceEvent(first: 4) { edges { ${EVENT} } ${PAGE} } }`,
  `{ ServiceEvent(first: 200, branch_only: false) { edges { ${EVENT} } ${PAGE} } }`,
  `{ ServiceEvent(first: 50, ids: ["${devices[0]}", "${sites[0]}"]) { edges { ${EVENT} } ${PAGE} } }`,
  '{ ServiceEvent(first: 50, kinds: ["InfraSite"]) { edges { node { id } } } }',
  '{ Branch { name ahead behind branched_from } }',
  '{ InfrahubBranch { count edges { node { name { value } ahead { value } } node_metadata { updated_at } } } }',
];

async function answers(): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (const branch of BRANCHES) {
    for (const query of ASKED) {
      const {status, body} = await world.graphql(query, key, branch);
      all.push({branch, query, status, body});
    }
  }
  return all;
}

type Act = (draft: Parameters<Parameters<typeof world.store.write>[2]>[0]) => Promise<unknown>;

const site = fc.nat().map(index => () => sites[index % sites.length]!);
const device = fc.constantFrom(...devices);
const word = fc.constantFrom('atl', 'aaa', 'zzz', '9', '0');

/** Links and unlinks are skipped where an end is not there. */
const linked =
  (node: () => NodeId, relationship: string, peer: () => NodeId, isThere: boolean): Act =>
  async draft => {
    const [a, b] = [await draft.node(node()), await draft.node(peer())];
    if (a === undefined || b === undefined) return;
    const end = {node: a.id, relationship, peer: b.id};
    const there = await draft.neighbours(a.id, relationship);
    if (isThere && relationship === 'site') {
      for (const other of there) await draft.unlink({...end, peer: other.id});
    }
    if (isThere) await draft.link(end);
    else if (there.some(other => other.id === b.id)) await draft.unlink(end);
  };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.tuple(word, word).map(
    ([name, note]): Act =>
      async draft => {
        const id = world.access.ids.nodeId();
        sites.push(id);
        await draft.create({id, kind: 'InfraSite', attributes: chosen({name, note})});
      },
  ),
  fc.tuple(site, word).map(
    ([id, name]): Act =>
      async draft => {
        if ((await draft.node(id())) !== undefined) await draft.update(id(), chosen({name}));
      },
  ),
  fc.tuple(device, word).map(
    ([id, serial]): Act =>
      async draft => {
        if ((await draft.node(id)) !== undefined) await draft.update(id, chosen({serial}));
      },
  ),
  fc
    .tuple(device, fc.constantFrom('site', 'places'), site, fc.boolean())
    .map(([id, relationship, peer, isThere]) => linked(() => id, relationship, peer, isThere)),
  site.map(
    (id): Act =>
      async draft => {
        if ((await draft.node(id())) !== undefined) await draft.delete(id());
      },
  ),
);

test('what a caller may not view changes nothing in any answer of theirs', async () => {
  const before = await answers();
  expect(JSON.stringify(before)).not.toContain('"atl"');
  expect(JSON.stringify(before)).not.toContain('VALIDATION_ERROR');
  expect(
    before.filter(
      each => JSON.stringify(each).includes('DiffTree(') && JSON.stringify(each).includes('spine'),
    ),
  ).not.toEqual([]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...BRANCHES), act), {minLength: 1, maxLength: 6}),
      async acts => {
        for (const [branch, body] of acts) await world.store.write(branch, {account: null}, body);
        const after = await answers();
        for (const [index, answer] of after.entries()) expect(answer).toEqual(before[index]);
      },
    ),
    {numRuns: 8, endOnFailure: true},
  );
}, 300_000);

test('a merge that is refused tells of the conflicts that the caller may see, and how many others there are', async () => {
  await set(WORK, devices[1]!, {serial: 'here'});
  await set(MAIN, devices[1]!, {serial: 'there'});
  const merger = await world.make(
    'CoreAccountRole',
    {name: 'merger'},
    {
      permissions: [
        await permission('CoreGlobalPermission', {action: 'merge_branch', decision: DECISION.allow_all}),
        await permission('CoreGlobalPermission', {
          action: 'edit_default_branch',
          decision: DECISION.allow_all,
        }),
        await permission('CoreObjectPermission', {
          namespace: '*',
          name: '*',
          action: 'any',
          decision: DECISION.allow_all,
        }),
        await view({namespace: 'Infra', name: 'Device', attribute: 'serial', decision: DECISION.deny}),
      ],
    },
  );
  const account = await world.account('merger', [merger]);
  const refused = await world.graphql('mutation { BranchMerge(data: {name: "work"}) { ok } }', account.key);
  const [error] = refused.body.errors;
  expect(error.extensions.code).toBe('CONSTRAINT_VIOLATION');
  expect(error.message).toContain('over data that you may not view');
  expect(JSON.stringify(error)).toContain('role');
  expect(JSON.stringify(error)).not.toContain('serial');
  const checked = await world.graphql(
    'mutation { BranchValidate(data: {name: "work"}) { ok messages } }',
    account.key,
  );
  expect(checked.body.data.BranchValidate.ok).toBe(false);
  expect(JSON.stringify(checked.body)).not.toContain('serial');
});
