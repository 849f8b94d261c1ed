import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {except} from '../../src/app/node/world-fixtures.ts';
import {formatInstant} from '../../src/domain/time/instant.ts';
import {type Branches, openBranches} from './branch-world.ts';

let world: Branches;

beforeEach(async () => {
  world = await openBranches();
});

afterEach(async () => {
  expect(await world.problems()).toEqual([]);
  await world.close();
});

describe('a branch', () => {
  test('is made, found, described and deleted', async () => {
    await world.branch('feature/one', ', description: "first"');
    const query = `{ Branch(name: "feature/one") { id name description origin_branch branched_from created_at
      sync_with_git is_default has_schema_changes status ahead behind } }`;
    const {Branch} = await world.data(query);
    expect(Branch).toMatchObject([
      {
        name: 'feature/one',
        description: 'first',
        origin_branch: 'main',
        sync_with_git: true,
        is_default: false,
        has_schema_changes: false,
        status: 'OPEN',
        ahead: 0,
        behind: 0,
      },
    ]);
    await world.data('mutation { BranchUpdate(data: {name: "feature/one", description: "new"}) { ok } }');
    expect((await world.data(`{ Branch(ids: ["${Branch[0].id}"]) { description } }`)).Branch).toEqual([
      {description: 'new'},
    ]);
    await world.data('mutation { BranchDelete(data: {name: "feature/one"}) { ok task { id } } }');
    expect((await world.data('{ Branch { name } }')).Branch).toEqual([{name: 'main'}]);
    const answer = await world.world.server.inject({
      method: 'POST',
      url: '/graphql/feature/one',
      payload: {query: '{ InfraDevice { count } }'},
    });
    expect(answer.statusCode).toBe(404);
  });

  test('counts the commits that it is ahead and behind', async () => {
    const counts = async () => (await world.data('{ Branch(name: "work") { ahead behind } }')).Branch[0];
    await world.branch('work');
    await world.device('a', 'work');
    await world.device('b', 'work');
    await world.device('c');
    expect(await counts()).toEqual({ahead: 2, behind: 1});
    await world.merge('work');
    expect(await counts()).toEqual({ahead: 0, behind: 0});
    await world.device('d');
    expect(await counts()).toEqual({ahead: 0, behind: 1});
  });

  test('is behind what its origin got from its own by a rebase', async () => {
    await world.branch('parent');
    await world.branch('child', ', origin_branch: "parent"');
    await world.device('a');
    const behind = async () => (await world.data('{ Branch(name: "child") { behind } }')).Branch[0].behind;
    expect(await behind()).toBe(0);
    await world.rebase('parent');
    expect(await behind()).toBe(1);
    await world.rebase('child');
    expect(await behind()).toBe(0);
  });

  test('at an instant of the past is shown with the commits and the differences of then', async () => {
    await world.branch('work');
    await world.device('a', 'work');
    const [commit] = await world.store.commits({branch: 'work' as never, limit: 1, newestFirst: true});
    const at = formatInstant(commit!.instant);
    await world.device('b', 'work');
    await world.branch('later');
    const then = (query: string) => world.data(query, {at});
    expect((await then('{ Branch { name } }')).Branch).toEqual([{name: 'main'}, {name: 'work'}]);
    const listed = '{ ServiceCommit(branch: "work") { edges { node { committed_at } } } }';
    expect((await then(listed)).ServiceCommit.edges).toEqual([{node: {committed_at: at}}]);
    expect((await world.data(listed)).ServiceCommit.edges).toHaveLength(2);
    const diff = '{ DiffTree(branch: "work") { to_time num_added } }';
    expect((await then(diff)).DiffTree).toEqual({to_time: at, num_added: 1});
    expect((await world.data(diff)).DiffTree).toMatchObject({num_added: 2});
  });

  test('starts from any branch and from any past instant', async () => {
    await world.device('old');
    const [commit] = await world.store.commits({branch: 'main' as never, limit: 1, newestFirst: true});
    const before = new Date(commit!.instant / 1000).toISOString();
    await world.device('new');
    await world.branch('past', `, branched_from: "${before}"`);
    expect(await world.names('past')).toEqual(['old']);
    await world.branch('child', ', origin_branch: "past"');
    await world.device('of-past', 'past');
    expect(await world.names('child')).toEqual(['old']);
    await world.data('mutation { BranchRebase(data: {name: "past"}) { ok } }');
    expect(await world.names('past')).toEqual(['new', 'of-past', 'old']);
  });

  test('shows what it wrote only after a merge, and then to all', async () => {
    await world.branch('work');
    await world.device('hidden', 'work');
    expect(await world.names()).toEqual([]);
    const merged = await world.merge('work');
    expect(merged.BranchMerge).toMatchObject({ok: true, object: {name: 'work'}, task: null});
    expect(await world.names()).toEqual(['hidden']);
  });

  test('is listed in the wrapped form with its filters', async () => {
    await world.branch('alpha');
    await world.branch('beta');
    const list = async (args: string) =>
      (
        await world.data(
          `{ InfrahubBranch${args} { count default_branch { name { value } } edges { node { id name { value } status { value } ahead { value } } node_metadata { created_at } } } }`,
        )
      ).InfrahubBranch;
    expect(await list('')).toMatchObject({
      count: 3,
      default_branch: {name: {value: 'main'}},
      edges: [
        {node: {name: {value: 'main'}}},
        {node: {name: {value: 'alpha'}, status: {value: 'OPEN'}, ahead: {value: 0}}},
        {node: {name: {value: 'beta'}}},
      ],
    });
    expect(await list('(name__value: "ALP", partial_match: true)')).toMatchObject({count: 1});
    expect(await list('(name__value: "alp")')).toMatchObject({count: 0, edges: []});
    expect((await list('(limit: 1, offset: 1)')).edges).toMatchObject([{node: {name: {value: 'alpha'}}}]);
    expect(await list('(status__value: MERGED)')).toMatchObject({count: 0});
    expect((await list('(order: {node_metadata: {created_at: DESC}})')).edges[0].node.name.value).toBe(
      'beta',
    );
  });
});

describe('bad input', () => {
  test.each([
    ['', 'VALIDATION_ERROR'],
    ['ab', 'VALIDATION_ERROR'],
    ['a..b', 'VALIDATION_ERROR'],
    ['with space', 'VALIDATION_ERROR'],
    ['tab\there', 'VALIDATION_ERROR'],
    ['/lead', 'VALIDATION_ERROR'],
    ['trail/', 'VALIDATION_ERROR'],
    ['x.lock', 'VALIDATION_ERROR'],
    ['.hidden', 'VALIDATION_ERROR'],
    ['a/.b', 'VALIDATION_ERROR'],
    ['a//b', 'VALIDATION_ERROR'],
    ['a@{b', 'VALIDATION_ERROR'],
    ['a.lock/b', 'VALIDATION_ERROR'],
    ['HEAD', 'VALIDATION_ERROR'],
    ['right\u202eleft', 'VALIDATION_ERROR'],
    ['zero\u200bwidth', 'VALIDATION_ERROR'],
    ['e\u0301te\u0301', 'VALIDATION_ERROR'],
    ['-global-', 'VALIDATION_ERROR'],
    ['x'.repeat(300), 'VALIDATION_ERROR'],
    ['main', 'VALIDATION_ERROR'],
  ])('the name %j is refused', async (name, code) => {
    const refusal = await world.refused('mutation($n: String!) { BranchCreate(data: {name: $n}) { ok } }', {
      variables: {n: name},
    });
    expect(refusal.code).toBe(code);
    expect((await world.data('{ Branch { name } }')).Branch).toEqual([{name: 'main'}]);
  });

  test('a name in another script is welcome and reachable', async () => {
    await world.branch('ветка/名');
    await world.device('x', encodeURIComponent('ветка/名'));
    expect(await world.names(encodeURIComponent('ветка/名'))).toEqual(['x']);
  });

  test.each(['BranchMerge', 'BranchRebase', 'BranchDelete', 'BranchValidate'])(
    '%s refuses the default branch and unknown branches',
    async verb => {
      expect((await world.refused(`mutation { ${verb}(data: {name: "main"}) { ok } }`)).code).toBe(
        'VALIDATION_ERROR',
      );
      expect(await world.refused(`mutation { ${verb}(data: {name: "nowhere"}) { ok } }`)).toMatchObject({
        code: 'BRANCH_NOT_FOUND',
        message: 'Branch: nowhere not found.',
      });
      expect((await world.refused(`mutation { ${verb}(data: {}) { ok } }`)).code).toBe('VALIDATION_ERROR');
    },
  );

  test('a branch is not made twice, nor from an unknown one, nor from outside of history', async () => {
    await world.branch('once');
    expect((await world.refused('mutation { BranchCreate(data: {name: "once"}) { ok } }')).message).toContain(
      'already exists',
    );
    const make = (more: string) =>
      world.refused(`mutation { BranchCreate(data: {name: "two" ${more}}) { ok } }`);
    expect((await make(', origin_branch: "nowhere"')).code).toBe('BRANCH_NOT_FOUND');
    expect((await make(', branched_from: "2001-01-01T00:00:00Z"')).code).toBe('VALIDATION_ERROR');
    expect((await make(', branched_from: "yesterday"')).code).toBe('VALIDATION_ERROR');
  });

  test('a branch that others stand on is not deleted', async () => {
    await world.branch('parent');
    await world.branch('child', ', origin_branch: "parent"');
    expect(await world.refused('mutation { BranchDelete(data: {name: "parent"}) { ok } }')).toMatchObject({
      code: 'CONSTRAINT_VIOLATION',
      data: {children: ['child']},
    });
    await world.data('mutation { BranchDelete(data: {name: "child"}) { ok } }');
    await world.data('mutation { BranchDelete(data: {name: "parent"}) { ok } }');
  });

  test('merging needs the permission to merge, and to change the default branch', async () => {
    await world.branch('work');
    await world.device('a', 'work');
    for (const action of ['merge_branch', 'edit_default_branch']) {
      world.world.caller = {
        account: null,
        access: except(need => need.is === 'global' && need.action === action),
      };
      expect((await world.refused('mutation { BranchMerge(data: {name: "work"}) { ok } }')).code).toBe(
        'PERMISSION_DENIED',
      );
    }
    expect(
      (await world.data('mutation { BranchValidate(data: {name: "work"}) { ok } }')).BranchValidate.ok,
    ).toBe(true);
  });
});

describe('at the same moment', () => {
  test('two merges of two branches both land, one after the other', async () => {
    for (const name of ['one', 'two']) {
      await world.branch(name);
      await world.device(`from-${name}`, name);
    }
    await Promise.all([world.merge('one'), world.merge('two')]);
    expect(await world.names()).toEqual(['from-one', 'from-two']);
  });

  test('two merges that claim one unique value leave one object', async () => {
    for (const name of ['one', 'two']) {
      await world.branch(name);
      await world.device('same', name);
    }
    const merge = (name: string) => world.run(`mutation { BranchMerge(data: {name: "${name}"}) { ok } }`);
    const answers = await Promise.all([merge('one'), merge('two')]);
    const refusals = answers.flatMap(answer => answer.errors ?? []);
    expect(refusals).toMatchObject([
      {extensions: {code: 'CONSTRAINT_VIOLATION', data: {conflicts: [{is: 'unique'}]}}},
    ]);
    expect(await world.names()).toEqual(['same']);
  });

  test('a merge, a rebase and writes on both sides leave a state that is whole', async () => {
    await world.branch('work');
    await world.device('base', 'work');
    await Promise.all([
      world.merge('work'),
      world.rebase('work'),
      world.device('on-main'),
      world.device('on-work', 'work'),
      world.merge('work'),
      world.rebase('work'),
    ]);
    await world.merge('work');
    expect(await world.names()).toEqual(['base', 'on-main', 'on-work']);
  });
});

test('branches nest to depth four and are merged upwards, one level at a time', async () => {
  const chain = ['main', 'depth/1', 'depth/2', 'depth/3', 'depth/4'];
  for (const [place, name] of chain.entries()) {
    if (place === 0) continue;
    await world.branch(name, `, origin_branch: "${chain[place - 1]}"`);
    await world.device(`at-${place}`, name);
  }
  expect(await world.names('depth/4')).toEqual(['at-1', 'at-2', 'at-3', 'at-4']);
  for (const name of chain.slice(1).reverse()) await world.merge(name);
  expect(await world.names()).toEqual(['at-1', 'at-2', 'at-3', 'at-4']);
  expect(await world.names('depth/4')).toEqual(['at-1', 'at-2', 'at-3', 'at-4']);
});
