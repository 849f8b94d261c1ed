import {expect, test} from 'vitest';
import {ADMIN_KEY, ADMIN_TOKEN, MAIN, openAccessWorld} from '../../../test/api/access-world.ts';
import {prepareAccounts} from './accounts.ts';

const world = await openAccessWorld();
const again = () => prepareAccounts(world.access, {adminPassword: 'another', adminToken: 'another key'});

async function everyone(query: string) {
  const {body} = await world.graphql(query, ADMIN_KEY);
  expect(body.errors).toBeUndefined();
  return body.data;
}

test('a first start makes the account admin, the roles and the groups in one commit of the service', async () => {
  const commits = await world.store.commits({branch: MAIN, limit: 10, newestFirst: false});
  expect(commits.map(({author, message}) => [author, message])).toEqual([
    [null, 'Built-in schema'],
    [null, 'First accounts and roles'],
  ]);
  const data = await everyone(`{
    CoreAccount {edges {node {name {value} account_type {value} status {value} member_of_groups {edges {node {display_label}}}}}}
    CoreAccountGroup {edges {node {name {value} members {count} roles {edges {node {name {value}}}}}}}
    CoreAccountRole {edges {node {name {value} permissions {edges {node {identifier {value}}}}}}}
    CoreGlobalPermission {edges {node {identifier {value} decision {value}}}}
  }`);
  const nodes = (name: string) => data[name].edges.map((edge: {node: unknown}) => edge.node);
  expect(nodes('CoreAccount')).toMatchObject([
    {name: {value: 'admin'}, account_type: {value: 'User'}, status: {value: 'active'}},
  ]);
  expect(nodes('CoreAccountGroup')).toMatchObject([
    {name: {value: 'Super Administrators'}, members: {count: 1}},
    {name: {value: 'Trellis Users'}, members: {count: 0}},
  ]);
  const roles = nodes('CoreAccountRole').map((role: never) => {
    const {name, permissions} = role as {
      name: {value: string};
      permissions: {edges: {node: {identifier: {value: string}}}[]};
    };
    return [name.value, permissions.edges.map(({node}) => node.identifier.value).sort()];
  });
  expect(roles).toEqual([
    ['Anonymous User', ['object:*:*:any:deny', 'object:*:*:view:allow_all']],
    [
      'General Access',
      [
        'global:manage_repositories:allow_all',
        'global:manage_schema:allow_all',
        'global:merge_proposed_change:allow_all',
        'object:*:*:any:allow_other',
        'object:*:*:view:allow_all',
      ],
    ],
    ['Super Administrator', ['global:super_admin:allow_all']],
  ]);
  expect(nodes('CoreGlobalPermission')).toHaveLength(9);
});

test('neither the password nor the key is stored as it is', async () => {
  const head = await world.store.snapshot({branch: MAIN});
  const admin = await head.node(await world.idOf('CoreAccount', 'admin'));
  expect(admin?.value('password')).toMatch(/^\$argon2id\$/);
  const {found} = await head.query({kind: 'InternalAccountToken'});
  expect(found.map(({node}) => node.value('name'))).toEqual(['Created automatically']);
  expect(found[0]?.node.value('token')).not.toContain(ADMIN_TOKEN);
});

test('a later start changes nothing, whatever the settings say', async () => {
  expect(await again()).toBe(false);
  expect((await world.logIn('admin', 'another')).status).toBe(401);
  expect((await world.logIn('admin', 'service')).status).toBe(200);
});

test('what its users removed stays removed', async () => {
  const id = await world.idOf('CoreAccount', 'admin');
  await world.store.write(MAIN, {account: null}, async draft => {
    for (const {node} of (await draft.query({kind: 'InternalAccountToken'})).found)
      await draft.delete(node.id);
    for (const {node} of (await draft.query({kind: 'InternalRefreshToken'})).found)
      await draft.delete(node.id);
    await draft.delete(id);
  });
  expect(await again()).toBe(false);
  expect((await world.store.verify()).problems).toEqual([]);
});
