import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {except} from '../../src/app/node/world-fixtures.ts';
import {type Branches, type Loose, openBranches} from './branch-world.ts';

let world: Branches;

beforeEach(async () => {
  world = await openBranches();
});

afterEach(async () => {
  expect(await world.problems()).toEqual([]);
  await world.close();
});

const TREE = `base_branch diff_branch from_time to_time name num_added num_updated num_removed num_conflicts
  num_untracked_base_changes nodes {
    uuid kind label status path_identifier last_changed_at contains_conflict num_added num_updated num_conflicts
    conflict { uuid base_branch_action diff_branch_action selected_branch }
    parent { uuid kind relationship_name }
    attributes { name status path_identifier contains_conflict num_updated
      conflict { uuid base_branch_value diff_branch_value base_branch_label diff_branch_label selected_branch resolvable }
      properties { property_type previous_value new_value previous_label new_label status path_identifier } }
    relationships { name label cardinality status contains_conflict
      elements { peer_id peer_label status path_identifier conflict { uuid base_branch_label diff_branch_label }
        properties { property_type previous_value new_value previous_label new_label } } } }`;

const tree = async (args: string): Promise<Loose> =>
  (await world.data(`{ DiffTree${args} { ${TREE} } }`)).DiffTree;

describe('a diff', () => {
  test('shows what a branch did, object by object and value by value', async () => {
    const kept = await world.device('kept', undefined, ', height: {value: 1}');
    const gone = await world.device('gone');
    await world.branch('work');
    await world.set(kept, ', height: {value: 2}, status: {value: "drained"}', 'work');
    await world.remove(gone, 'work');
    const made = await world.device('made', 'work');
    const diff = await tree('(branch: "work")');
    expect(diff).toMatchObject({
      base_branch: 'main',
      diff_branch: 'work',
      num_added: 1,
      num_updated: 1,
      num_removed: 1,
      num_conflicts: 0,
      num_untracked_base_changes: 0,
    });
    const byId = Object.fromEntries(diff.nodes.map((node: Loose) => [node.uuid, node]));
    expect(byId[made]).toMatchObject({status: 'ADDED', kind: 'InfraDevice', label: 'made active'});
    expect(byId[gone]).toMatchObject({status: 'REMOVED', label: 'gone active'});
    expect(byId[kept]).toMatchObject({
      status: 'UPDATED',
      path_identifier: `data/${kept}`,
      num_updated: 2,
      attributes: [
        {
          name: 'height',
          status: 'UPDATED',
          path_identifier: `data/${kept}/height`,
          properties: [
            {
              property_type: 'HAS_VALUE',
              previous_value: '1',
              new_value: '2',
              path_identifier: `data/${kept}/height/value`,
            },
          ],
        },
        {name: 'status', properties: [{previous_label: 'Active', new_label: 'Drained'}]},
      ],
    });
  });

  test('of a branch without changes, and of a value set back, is empty', async () => {
    const id = await world.device('a', undefined, ', height: {value: 1}');
    await world.branch('work');
    expect((await tree('(branch: "work")')).nodes).toEqual([]);
    await world.set(id, ', height: {value: 2}', 'work');
    await world.set(id, ', height: {value: 1}', 'work');
    expect(await tree('(branch: "work")')).toMatchObject({num_updated: 0, nodes: []});
  });

  test('stands between any two instants of a branch, the default branch too', async () => {
    await world.device('a');
    const from = instant();
    const id = await world.device('b');
    const to = instant();
    await world.device('c');
    const diff = await tree(`(branch: "main", from_time: "${from}", to_time: "${to}")`);
    expect(diff.nodes.map((node: Loose) => node.uuid)).toEqual([id]);
    expect((await world.refused('{ DiffTree(branch: "main") { num_added } }')).code).toBe('VALIDATION_ERROR');
    expect(
      (
        await world.refused(
          `{ DiffTree(branch: "main", from_time: "${to}", to_time: "${from}") { num_added } }`,
        )
      ).code,
    ).toBe('VALIDATION_ERROR');
    expect((await world.refused('{ DiffTree(branch: "nowhere") { num_added } }')).code).toBe(
      'BRANCH_NOT_FOUND',
    );
  });

  test('groups objects below their parents, as unchanged frame where nothing changed', async () => {
    const device = await world.device('frame');
    await world.branch('work');
    const made = await world.data(
      `mutation { InfraInterfaceCreate(data: {name: {value: "eth0"}, device: {id: "${device}"}}) { object { id } } }`,
      {branch: 'work'},
    );
    const port = made.InfraInterfaceCreate.object.id;
    const region = await world.data(
      'mutation { LocationRegionCreate(data: {name: {value: "eu"}}) { object { id } } }',
    );
    const above = region.LocationRegionCreate.object.id;
    await world.rebase('work');
    const site = await world.data(
      `mutation { LocationSiteCreate(data: {name: {value: "zrh"}, parent: {id: "${above}"}}) { object { id } } }`,
      {branch: 'work'},
    );
    const diff = await tree('(branch: "work")');
    const byId = Object.fromEntries(diff.nodes.map((node: Loose) => [node.uuid, node]));
    expect(byId[port].parent).toEqual({uuid: device, kind: 'InfraDevice', relationship_name: 'device'});
    expect(byId[site.LocationSiteCreate.object.id].parent).toMatchObject({
      uuid: above,
      relationship_name: 'parent',
    });
    expect(byId[device]).toMatchObject({label: 'frame active'});
    const plain = await tree(
      '(branch: "work", include_parents: false, filters: {kind: {includes: ["InfraInterface"]}})',
    );
    expect(plain.nodes.map((node: Loose) => node.uuid)).toEqual([port]);
    const framed = await tree('(branch: "work", filters: {kind: {includes: ["InfraInterface"]}})');
    expect(framed.nodes.map((node: Loose) => node.uuid)).toEqual([device, port]);
  });

  test('shows a moved to-one peer as one element and added peers one by one', async () => {
    const site = async (name: string) =>
      (
        await world.data(
          `mutation { LocationSiteCreate(data: {name: {value: "${name}"}}) { object { id } } }`,
        )
      ).LocationSiteCreate.object.id;
    const [one, two] = [await site('one'), await site('two')];
    const id = await world.device('d', undefined, `, site: {id: "${one}"}`);
    await world.branch('work');
    await world.set(id, `, site: {id: "${two}"}`, 'work');
    const {nodes} = await tree('(branch: "work")');
    const device = nodes.find((node: Loose) => node.uuid === id);
    expect(device.relationships).toMatchObject([
      {
        name: 'site',
        cardinality: 'ONE',
        status: 'UPDATED',
        elements: [
          {
            peer_id: two,
            peer_label: 'two',
            properties: [
              {
                property_type: 'IS_RELATED',
                previous_value: one,
                new_value: two,
                previous_label: 'one',
                new_label: 'two',
              },
            ],
          },
        ],
      },
    ]);
    const other = nodes.find((node: Loose) => node.uuid === two);
    expect(other.relationships).toMatchObject([
      {name: 'devices', cardinality: 'MANY', status: 'ADDED', elements: [{peer_id: id, status: 'ADDED'}]},
    ]);
  });

  test('is paged and filtered, and its summary counts', async () => {
    await world.branch('work');
    const ids = [];
    for (const name of ['a', 'b', 'c']) ids.push(await world.device(name, 'work'));
    await world.data('mutation { BuiltinTagCreate(data: {name: {value: "t"}}) { ok } }', {branch: 'work'});
    const uuids = async (args: string) => (await tree(args)).nodes.map((node: Loose) => node.uuid);
    expect(await uuids('(branch: "work", filters: {namespace: {excludes: ["Builtin"]}})')).toEqual(ids);
    expect(await uuids(`(branch: "work", filters: {ids: ["${ids[1]}"]})`)).toEqual([ids[1]]);
    expect(await uuids('(branch: "work", filters: {status: {includes: [REMOVED]}})')).toEqual([]);
    expect(await uuids('(branch: "work", limit: 2, offset: 1)')).toEqual(ids.slice(0, 2));
    expect(await uuids('(branch: "work", limit: 5, offset: 50)')).toEqual([]);
    expect((await world.refused('{ DiffTree(branch: "work", limit: -1) { num_added } }')).code).toBe(
      'VALIDATION_ERROR',
    );
    const {DiffTreeSummary} = await world.data(
      '{ DiffTreeSummary(branch: "work", filters: {kind: {includes: ["InfraDevice"]}}) { num_added num_updated num_unchanged num_conflicts } }',
    );
    expect(DiffTreeSummary).toEqual({num_added: 3, num_updated: 0, num_unchanged: 0, num_conflicts: 0});
    expect(
      (await world.data('mutation { DiffUpdate(data: {branch: "work"}) { ok task { id } } }')).DiffUpdate,
    ).toEqual({
      ok: true,
      task: null,
    });
  });

  test('leaves out what the caller may not view', async () => {
    await world.branch('work');
    await world.device('a', 'work');
    world.world.caller = {
      account: null,
      access: except(need => need.is === 'object' && need.kind === 'InfraDevice'),
    };
    expect(await tree('(branch: "work")')).toMatchObject({num_added: 0, nodes: []});
  });
});

describe('a conflict', () => {
  test('of an attribute stands at it, refuses the merge, and is resolved to either side', async () => {
    for (const [side, name, expected] of [
      ['BASE_BRANCH', 'base', 3],
      ['DIFF_BRANCH', 'diff', 2],
    ] as const) {
      const id = await world.device(`d-${name}`, undefined, ', height: {value: 1}');
      await world.branch(name);
      await world.set(id, ', height: {value: 2}', name);
      await world.set(id, ', height: {value: 3}');
      const diff = await tree(`(branch: "${name}")`);
      expect(diff).toMatchObject({
        num_conflicts: 1,
        nodes: [{uuid: id, contains_conflict: true, num_conflicts: 1}],
      });
      const {conflict} = diff.nodes[0].attributes[0];
      expect(conflict).toMatchObject({
        base_branch_value: '3',
        diff_branch_value: '2',
        selected_branch: null,
        resolvable: true,
      });
      const merge = `mutation { BranchMerge(data: {name: "${name}"}) { ok } }`;
      const refusal = await world.refused(merge);
      expect(refusal).toMatchObject({
        code: 'CONSTRAINT_VIOLATION',
        data: {conflicts: [{id: conflict.uuid, path: `data/${id}/height/value`, node: id}]},
      });
      expect(await world.refused(`mutation { BranchRebase(data: {name: "${name}"}) { ok } }`)).toMatchObject({
        data: {conflicts: [{id: conflict.uuid}]},
      });
      const validated = await world.data(
        `mutation { BranchValidate(data: {name: "${name}"}) { ok messages } }`,
      );
      expect(validated.BranchValidate).toMatchObject({
        ok: false,
        messages: [expect.stringContaining('height')],
      });
      const choose = (chosen: string) =>
        world.data(
          `mutation { ResolveDiffConflict(data: {conflict_id: "${conflict.uuid}", selected_branch: ${chosen}}) { ok } }`,
        );
      await choose(side);
      expect((await tree(`(branch: "${name}")`)).nodes[0].attributes[0].conflict.selected_branch).toBe(side);
      await choose('null');
      expect((await world.refused(merge)).code).toBe('CONSTRAINT_VIOLATION');
      await choose(side);
      await world.data(merge);
      const found = await world.data(
        `{ InfraDevice(ids: ["${id}"]) { edges { node { height { value } } } } }`,
      );
      expect(found.InfraDevice.edges[0].node.height.value).toBe(expected);
    }
  });

  test('of the same thing on two branches is decided for each alone', async () => {
    const id = await world.device('d', undefined, ', height: {value: 1}');
    for (const name of ['one', 'two']) {
      await world.branch(name);
      await world.set(id, ', height: {value: 2}', name);
    }
    await world.set(id, ', height: {value: 3}');
    const uuid = async (name: string) => (await tree(`(branch: "${name}")`)).nodes[0].attributes[0].conflict;
    expect((await uuid('one')).uuid).not.toBe((await uuid('two')).uuid);
    await world.data(
      `mutation { ResolveDiffConflict(data: {conflict_id: "${(await uuid('one')).uuid}", selected_branch: DIFF_BRANCH}) { ok } }`,
    );
    expect((await uuid('one')).selected_branch).toBe('DIFF_BRANCH');
    expect((await uuid('two')).selected_branch).toBe(null);
  });

  test('of a delete against a change stands at the object', async () => {
    const id = await world.device('d');
    await world.branch('work');
    await world.remove(id, 'work');
    await world.set(id, ', height: {value: 3}');
    expect((await tree('(branch: "work")')).nodes).toMatchObject([
      {uuid: id, status: 'REMOVED', conflict: {base_branch_action: 'UPDATED', diff_branch_action: 'REMOVED'}},
    ]);
    expect(await validated()).toEqual([
      `Conflict at data/${id}: removed on the branch, updated on its origin`,
    ]);
  });

  test('of one unique value stands at the attribute', async () => {
    await world.branch('work');
    const ours = await world.device('same', 'work');
    const theirs = await world.device('same');
    const {nodes} = await tree('(branch: "work")');
    expect(nodes).toMatchObject([{uuid: ours, contains_conflict: true}]);
    const conflicted = nodes[0].attributes.find((attribute: Loose) => attribute.name === 'name');
    expect(conflicted.conflict).toMatchObject({base_branch_value: theirs, diff_branch_value: ours});
    expect(await validated()).toEqual([
      `Conflict at data/${ours}/name: ${ours} of the branch and ${theirs} of its origin claim the same name`,
    ]);
  });

  const validated = async () =>
    (await world.data('mutation { BranchValidate(data: {name: "work"}) { messages } }')).BranchValidate
      .messages;

  test('that does not exist cannot be resolved', async () => {
    for (const id of ['', 'x', 'x.y', '00000000-0000-0000-0000-000000000000']) {
      expect(
        await world.refused(
          `mutation { ResolveDiffConflict(data: {conflict_id: "${id}", selected_branch: BASE_BRANCH}) { ok } }`,
        ),
      ).toMatchObject({code: 'VALIDATION_ERROR', message: expect.stringContaining('no conflict')});
    }
  });
});

const instant = (): string => new Date(world.store.now() / 1000).toISOString();
