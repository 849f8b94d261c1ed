import {afterEach, beforeEach, expect, test} from 'vitest';
import {type Branches, type Loose, openBranches} from './branch-world.ts';

const text = (name: string, rest: object = {}) => ({name, kind: 'Text', optional: true, ...rest});

const SCHEMA = {
  nodes: [
    {
      namespace: 'Infra',
      name: 'Shared',
      branch: 'agnostic',
      attributes: [text('name'), text('own', {branch: 'aware'}), text('note', {branch: 'local'})],
    },
    {namespace: 'Infra', name: 'Private', branch: 'local', attributes: [text('name')]},
    {namespace: 'Infra', name: 'Plain', attributes: [text('name'), text('note', {branch: 'local'})]},
  ],
};

let world: Branches;

beforeEach(async () => {
  world = await openBranches(SCHEMA);
  await world.branch('work');
});

afterEach(async () => {
  expect(await world.problems()).toEqual([]);
  await world.close();
});

async function make(kind: string, values: Record<string, string>, branch?: string): Promise<string> {
  const data = Object.entries(values).map(([name, value]) => `${name}: {value: "${value}"}`);
  const made = await world.data(
    `mutation { made: ${kind}Create(data: {${data.join(', ')}}) { object { id } } }`,
    branch === undefined ? {} : {branch},
  );
  return made.made.object.id;
}

const set = (kind: string, id: string, name: string, value: string, branch?: string) =>
  world.data(
    `mutation { ${kind}Update(data: {id: "${id}", ${name}: {value: "${value}"}}) { ok } }`,
    branch === undefined ? {} : {branch},
  );

async function value(kind: string, id: string, name: string, branch?: string): Promise<unknown> {
  const {found} = await world.data(
    `{ found: ${kind}(ids: ["${id}"]) { edges { node { ${name} { value } } } } }`,
    branch === undefined ? {} : {branch},
  );
  return (found as Loose).edges[0]?.node[name].value;
}

const changed = async () =>
  (await world.data('{ DiffTree(branch: "work") { nodes { uuid attributes { name } } } }')).DiffTree.nodes;

test('agnostic data is on every branch at once, and in no diff', async () => {
  const id = await make('InfraShared', {name: 'a'}, 'work');
  expect(await value('InfraShared', id, 'name')).toBe('a');
  await set('InfraShared', id, 'name', 'b');
  expect(await value('InfraShared', id, 'name', 'work')).toBe('b');
  expect(await changed()).toEqual([]);
});

test('an aware attribute of an agnostic object is of its branch, and is merged', async () => {
  const id = await make('InfraShared', {name: 'a', own: 'main'});
  await set('InfraShared', id, 'own', 'work', 'work');
  expect(await value('InfraShared', id, 'own')).toBe('main');
  expect(await changed()).toEqual([{uuid: id, attributes: [{name: 'own'}]}]);
  await world.merge('work');
  expect(await value('InfraShared', id, 'own')).toBe('work');
});

test('local data stays on its branch through merges and rebases', async () => {
  const secret = await make('InfraPrivate', {name: 'secret'}, 'work');
  const plain = await make('InfraPlain', {name: 'p', note: 'of main'});
  await world.rebase('work');
  await set('InfraPlain', plain, 'note', 'of work', 'work');
  await set('InfraPlain', plain, 'name', 'q', 'work');
  expect(await changed()).toEqual([{uuid: plain, attributes: [{name: 'name'}]}]);
  await world.merge('work');
  await world.rebase('work');
  expect(await value('InfraPrivate', secret, 'name')).toBe(undefined);
  expect(await value('InfraPrivate', secret, 'name', 'work')).toBe('secret');
  expect(await value('InfraPlain', plain, 'name')).toBe('q');
  expect(await value('InfraPlain', plain, 'note')).toBe('of main');
  expect(await value('InfraPlain', plain, 'note', 'work')).toBe('of work');
});

test('a branch is neither ahead nor behind by what is never merged', async () => {
  const apart = async () => (await world.data('{ Branch(name: "work") { ahead behind } }')).Branch[0];
  const shared = await make('InfraShared', {name: 'a'});
  const plain = await make('InfraPlain', {name: 'p'});
  await world.rebase('work');
  const before = await apart();
  for (const branch of ['main', 'work']) {
    await set('InfraShared', shared, 'name', branch, branch);
    await set('InfraPlain', plain, 'note', branch, branch);
    await make('InfraPrivate', {name: branch}, branch);
  }
  expect(await apart()).toEqual(before);
  await set('InfraPlain', plain, 'name', 'q');
  await set('InfraShared', shared, 'own', 'w', 'work');
  expect(await apart()).toEqual({ahead: before.ahead + 1, behind: before.behind + 1});
});
