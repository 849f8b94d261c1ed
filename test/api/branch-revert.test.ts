import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {SystemGitHost} from '../../src/adapters/git/system-git-host.ts';
import {temporaryFolder} from '../../src/ports/git-fixtures.ts';
import {diffRoutes} from '../../src/wire/rest/diff-routes.ts';
import {type Branches, type Loose, openBranches} from './branch-world.ts';
import {ADMIN} from './graphql-fixtures.ts';
import {openServer} from './open-server.ts';

let world: Branches;

beforeEach(async () => {
  world = await openBranches();
});

afterEach(async () => {
  expect(await world.problems()).toEqual([]);
  await world.close();
});

const commits = async (args = ''): Promise<Loose> =>
  (
    await world.data(
      `{ ServiceCommit${args} { edges { cursor node { id branch committed_at author message num_nodes num_relationships } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`,
    )
  ).ServiceCommit;

const revert = (commit: string, name: string, more = ''): string =>
  `mutation { BranchRevert(data: {name: "${name}", commit: "${commit}" ${more}}) { ok object { name origin_branch description } task { id }
    conflicts { path_identifier node_id kind reverted_value current_value } } }`;

describe('commits', () => {
  test('are listed newest first with their message and counts, a page at a time', async () => {
    await world.data(
      'mutation { InfraDeviceCreate(data: {name: {value: "a"}}, context: {message: "the first"}) { ok } }',
    );
    await world.device('b');
    const first = await commits('(first: 1)');
    expect(first).toMatchObject({
      edges: [{node: {branch: 'main', author: null, message: '', num_nodes: 1}}],
      pageInfo: {hasNextPage: true, hasPreviousPage: false},
    });
    const second = await commits(`(first: 1, after: "${first.pageInfo.endCursor}")`);
    expect(second.edges).toMatchObject([{node: {message: 'the first', num_nodes: 1}}]);
    expect(second.pageInfo.hasPreviousPage).toBe(true);
    expect((await commits('(limit: 1, offset: 1)')).edges).toEqual(second.edges);
    expect((await commits('(limit: 5, offset: 500)')).edges).toEqual([]);
    expect((await world.refused('{ ServiceCommit(first: 1, limit: 1) { edges { cursor } } }')).code).toBe(
      'VALIDATION_ERROR',
    );
    expect((await world.refused('{ ServiceCommit(after: "x") { edges { cursor } } }')).code).toBe(
      'VALIDATION_ERROR',
    );
    expect((await world.refused('{ ServiceCommit(branch: "nowhere") { edges { cursor } } }')).code).toBe(
      'BRANCH_NOT_FOUND',
    );
  });

  test('of a branch are its own, and a merge is one on its origin', async () => {
    await world.branch('work');
    await world.device('a', 'work');
    await world.device('b', 'work');
    expect((await commits('(branch: "work")')).edges).toHaveLength(2);
    await world.data('mutation { BranchMerge(data: {name: "work"}, context: {message: "ship it"}) { ok } }');
    expect((await commits('(first: 1)')).edges).toMatchObject([{node: {message: 'ship it', num_nodes: 2}}]);
  });
});

describe('a revert', () => {
  test('of a merge is a branch that takes it back when it is merged', async () => {
    const kept = await world.device('kept', undefined, ', height: {value: 1}');
    const gone = await world.device('gone');
    await world.branch('work');
    await world.set(kept, ', height: {value: 2}', 'work');
    await world.remove(gone, 'work');
    await world.device('made', 'work');
    await world.merge('work');
    const [{node}] = (await commits('(first: 1)')).edges;
    const {BranchRevert} = await world.data(revert(node.id, 'undo'));
    expect(BranchRevert).toMatchObject({
      ok: true,
      object: {name: 'undo', origin_branch: 'main', description: expect.stringContaining('Reverts')},
      conflicts: [],
      task: null,
    });
    expect(await world.names()).toEqual(['kept', 'made']);
    expect(await world.names('undo')).toEqual(['gone', 'kept']);
    await world.merge('undo');
    expect(await world.names()).toEqual(['gone', 'kept']);
    const found = await world.data(
      `{ InfraDevice(ids: ["${kept}"]) { edges { node { height { value } } } } }`,
    );
    expect(found.InfraDevice.edges[0].node.height.value).toBe(1);
  });

  test('leaves and reports what later commits changed again', async () => {
    const id = await world.device('d', undefined, ', height: {value: 1}, description: {value: "old"}');
    await world.set(id, ', height: {value: 2}, description: {value: "new"}');
    const [{node}] = (await commits('(first: 1)')).edges;
    await world.set(id, ', height: {value: 3}');
    const {BranchRevert} = await world.data(revert(node.id, 'undo'));
    expect(BranchRevert.conflicts).toEqual([
      {
        path_identifier: `data/${id}/height/value`,
        node_id: id,
        kind: 'InfraDevice',
        reverted_value: 1,
        current_value: 3,
      },
    ]);
    const found = await world.data(
      `{ InfraDevice(ids: ["${id}"]) { edges { node { height { value } description { value } } } } }`,
      {branch: 'undo'},
    );
    expect(found.InfraDevice.edges[0].node).toEqual({height: {value: 3}, description: {value: 'old'}});
  });

  test('leaves out an object whose unique value somebody took meanwhile', async () => {
    const id = await world.device('name');
    await world.remove(id);
    const [{node}] = (await commits('(first: 1)')).edges;
    const other = await world.device('name');
    const {BranchRevert} = await world.data(revert(node.id, 'undo'));
    expect(BranchRevert.conflicts).toMatchObject([{node_id: id, current_value: other}]);
    expect(await world.names('undo')).toEqual(['name']);
  });

  test('of a commit that is none, of another branch, or under a bad name is refused and leaves no branch', async () => {
    await world.branch('work');
    await world.device('a', 'work');
    const [{node}] = (await commits('(branch: "work")')).edges;
    for (const query of [
      revert('1', 'undo'),
      revert('x', 'undo'),
      revert(node.id, 'undo'),
      revert(node.id, 'bad name', ', branch: "work"'),
      revert(node.id, 'work', ', branch: "work"'),
    ]) {
      expect((await world.refused(query)).code).toBe('VALIDATION_ERROR');
    }
    expect((await world.refused(revert(node.id, 'undo', ', branch: "nowhere"'))).code).toBe(
      'BRANCH_NOT_FOUND',
    );
    expect((await world.data('{ Branch { name } }')).Branch).toEqual([{name: 'main'}, {name: 'work'}]);
    await world.data(revert(node.id, 'undo', ', branch: "work"'));
    expect(await world.names('undo')).toEqual([]);
  });
});

describe('diffs of files and artifacts', () => {
  test('are empty while there is none of either, and check what they are asked', async () => {
    await world.branch('work');
    const git = new SystemGitHost({folder: temporaryFolder('mirrors'), fetchSecondsMax: 10, processesMax: 2});
    const {server} = await openServer({
      routes: [...diffRoutes({...world.world.services, git}, async () => ADMIN)],
    });
    const ask = async (url: string) => {
      const answer = await server.inject({method: 'GET', url});
      return {status: answer.statusCode, body: answer.json<Loose>()};
    };
    expect(await ask('/api/diff/files?branch=work')).toEqual({status: 200, body: {}});
    expect(await ask('/api/diff/files?branch=work&branch_only=false&time_to=now')).toEqual({
      status: 200,
      body: {},
    });
    expect(await ask('/api/diff/artifacts?branch=work')).toEqual({status: 200, body: {}});
    expect(await ask('/api/diff/artifacts')).toEqual({status: 200, body: {}});
    expect((await ask('/api/diff/files')).status).toBe(400);
    expect((await ask('/api/diff/files?branch=nowhere')).status).toBe(400);
    expect((await ask('/api/diff/artifacts?branch=nowhere')).status).toBe(400);
    expect((await ask('/api/diff/files?branch=work&time_from=soon')).status).toBe(400);
    expect((await ask('/api/diff/files?branch=work&branch_only=perhaps')).status).toBe(422);
    const past = new Date((world.store.oldest + 1000) / 1000).toISOString();
    expect((await ask(`/api/diff/files?time_from=now&time_to=${past}`)).status).toBe(400);
    expect((await ask(`/api/diff/files?time_from=${past}`)).status).toBe(200);
    await server.close();
  });
});
