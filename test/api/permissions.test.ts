import {beforeAll, describe, expect, test} from 'vitest';
import type {ObjectAction} from '../../src/domain/access/access.ts';
import {DECISION, type Grants} from '../../src/domain/access/grants.ts';
import {oracle} from '../../src/domain/access/oracle-fixtures.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import {ADMIN_KEY, MAIN, openAccessWorld} from './access-world.ts';

const world = await openAccessWorld();
const WORK = 'work' as BranchName;

const text = (name: string, rest: object = {}) => ({name, kind: 'Text', optional: true, ...rest});
const SCHEMA = {
  version: '1.0',
  generics: [{namespace: 'Infra', name: 'Place', attributes: [text('name', {optional: false})]}],
  nodes: [
    {
      namespace: 'Infra',
      name: 'Site',
      inherit_from: ['InfraPlace'],
      display_labels: ['name__value'],
      human_friendly_id: ['name__value'],
      order_by: ['name__value'],
      attributes: [text('secret', {unique: true})],
      relationships: [
        {name: 'devices', peer: 'InfraDevice', cardinality: 'many', identifier: 'site__device'},
      ],
    },
    {
      namespace: 'Infra',
      name: 'Device',
      inherit_from: ['InfraPlace'],
      display_label: '{{ name__value }} {{ site__name__value }}',
      human_friendly_id: ['name__value'],
      order_by: ['serial__value'],
      attributes: [text('serial')],
      relationships: [
        {name: 'site', peer: 'InfraSite', cardinality: 'one', identifier: 'site__device'},
        {name: 'places', peer: 'InfraPlace', cardinality: 'many', identifier: 'device__place'},
      ],
    },
  ],
};

let sites: Record<string, NodeId> = {};
let devices: Record<string, NodeId> = {};

beforeAll(async () => {
  const loaded = await world.ask('POST', '/api/schema/load', {
    headers: ADMIN_KEY,
    payload: {schemas: [SCHEMA]},
  });
  expect(loaded.status, JSON.stringify(loaded.body)).toBe(200);
  const atl = await world.make('InfraSite', {name: 'atl', secret: 'x1'});
  const ber = await world.make('InfraSite', {name: 'ber', secret: 'x2'});
  sites = {atl, ber};
  devices = {
    r1: await world.make('InfraDevice', {name: 'r1', serial: 'b'}, {site: atl, places: [atl, ber]}),
    r2: await world.make('InfraDevice', {name: 'r2', serial: 'a'}, {site: ber}),
  };
  await world.store.createBranch(
    {name: WORK, origin: MAIN, description: '', syncWithGit: false},
    {account: null},
  );
});

let made = 0;

/** An account with one role that holds just these permissions, written as `global:…` and `object:…`. */
async function accountWith(...identifiers: readonly string[]) {
  made += 1;
  const permissions: NodeId[] = [];
  for (const identifier of new Set(identifiers)) permissions.push(await permission(identifier));
  const role = await world.make('CoreAccountRole', {name: `role ${made}`}, {permissions});
  return {...(await world.account(`user${made}`, [role])), role};
}

const known = new Map<string, NodeId>();

async function permission(identifier: string): Promise<NodeId> {
  const [is, ...parts] = identifier.split(':');
  const existing = known.get(identifier);
  if (existing !== undefined) return existing;
  const decision = DECISION[parts[is === 'global' ? 1 : 3] as keyof typeof DECISION];
  const id =
    is === 'global' && decision === DECISION.allow_all
      ? await globalPermission(parts[0]!)
      : is === 'global'
        ? await world.make('CoreGlobalPermission', {action: parts[0]!, decision})
        : (await objectPermission(parts, decision)).id;
  known.set(identifier, id);
  return id;
}

async function globalPermission(action: string): Promise<NodeId> {
  const head = await world.store.snapshot({branch: MAIN});
  const {found} = await head.query({kind: 'CoreGlobalPermission'});
  return found.find(({node}) => node.value('action') === action && node.value('decision') === 6)!.node.id;
}

async function objectPermission(parts: readonly string[], decision: number) {
  const [namespace = '', name = '', action = '', , attribute = ''] = parts;
  const wanted = {namespace, name, action, decision, attribute};
  const head = await world.store.snapshot({branch: MAIN});
  const {found} = await head.query({kind: 'CoreObjectPermission'});
  const same = found.find(({node}) =>
    Object.entries(wanted).every(([key, value]) => (node.value(key) ?? '') === value),
  );
  return {id: same?.node.id ?? (await world.make('CoreObjectPermission', wanted))};
}

function grantsOf(identifiers: readonly string[]): Grants {
  const split = identifiers.map(each => each.split(':'));
  return {
    global: split
      .filter(([is]) => is === 'global')
      .map(([, action, decision]) => ({
        action: action as never,
        decision: DECISION[decision as keyof typeof DECISION],
      })),
    object: split
      .filter(([is]) => is === 'object')
      .map(([, namespace = '', name = '', action, decision, attribute = '']) => ({
        namespace,
        name,
        action: action as ObjectAction,
        decision: DECISION[decision as keyof typeof DECISION],
        attribute,
      })),
  };
}

const run = async (query: string, key: Record<string, string>, branch: string = MAIN) => {
  const answer = await world.graphql(query, key, branch);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

const codes = (body: {errors?: readonly {extensions: {code: string}}[]}) =>
  (body.errors ?? []).map(error => error.extensions.code);

describe('the matrix: every entry point agrees with the rules', () => {
  const DECISIONS = ['deny', 'allow_default', 'allow_other', 'allow_all'] as const;
  const roles: (readonly string[])[] = [
    ['global:super_admin:allow_all'],
    ['global:super_admin:allow_all', 'global:super_admin:deny', 'object:*:*:any:allow_all'],
    ['object:*:*:view:allow_all', 'object:*:*:any:allow_other'],
    ['object:*:*:any:deny', 'object:*:*:view:allow_all'],
    ['global:edit_default_branch:allow_all', 'global:edit_default_branch:deny', 'object:*:*:any:allow_all'],
  ];
  for (const decision of DECISIONS) {
    for (const scope of ['*:*:any', 'Infra:*:any', 'Infra:Site:view', 'Infra:Site:create']) {
      roles.push(['global:edit_default_branch:allow_all', `object:${scope}:${decision}`]);
      roles.push([
        'global:edit_default_branch:allow_all',
        'global:manage_schema:allow_all',
        'object:*:*:any:allow_all',
        `object:${scope}:${decision}`,
      ]);
    }
  }

  test.each(roles.map(role => [role.join(' '), role] as const))('%s', async (_title, role) => {
    const {key} = await accountWith(...role);
    const grants = grantsOf(role);
    for (const branch of [MAIN, WORK]) {
      const onDefaultBranch = branch === MAIN;
      const may = (kind: string, action: ObjectAction) =>
        oracle(grants, {is: 'object', kind, action, onDefaultBranch});
      const mayEdit = !onDefaultBranch || oracle(grants, {is: 'global', action: 'edit_default_branch'});
      for (const kind of ['InfraSite', 'InfraDevice']) {
        const isSeen = may(kind, 'view');
        for (const selection of ['count', 'edges {node {id}}', `edges {node {name {value}}}`]) {
          const body = await run(`{${kind} {${selection}} BuiltinTag {count}}`, key, branch);
          expect(body.data[kind] !== null, `${kind} ${selection} on ${branch}`).toBe(isSeen);
          expect(codes(body).length > 0).toBe(!isSeen || !may('BuiltinTag', 'view'));
        }
        made += 1;
        const created = await run(
          `mutation {${kind}Create(data: {name: {value: "n${made}"}}, dry_run: true) {ok}}`,
          key,
          branch,
        );
        expect(created.errors === undefined, `create ${kind} on ${branch}`).toBe(
          mayEdit && may(kind, 'create'),
        );
        const id = kind === 'InfraSite' ? sites.atl : devices.r1;
        const updated = await run(
          `mutation {${kind}Update(data: {id: "${id}", name: {value: "changed"}}, dry_run: true) {ok}}`,
          key,
          branch,
        );
        expect(updated.errors === undefined, `update ${kind} on ${branch}`).toBe(
          mayEdit && may(kind, 'update'),
        );
        const deleted = await run(
          `mutation {${kind}Delete(data: {id: "${id}"}, dry_run: true) {ok}}`,
          key,
          branch,
        );
        expect(deleted.errors === undefined, `delete ${kind} on ${branch}`).toBe(
          mayEdit && may(kind, 'delete'),
        );
        for (const body of [created, updated, deleted]) {
          expect(codes(body).every(code => code === 'PERMISSION_DENIED')).toBe(true);
        }
      }
      const throughPeer = await run('{InfraDevice(site__name__value: "atl") {count}}', key, branch);
      expect(throughPeer.data.InfraDevice !== null).toBe(
        may('InfraDevice', 'view') && may('InfraSite', 'view'),
      );
      const nested = await run('{InfraDevice {edges {node {site {node {id}}}}}}', key, branch);
      expect(nested.data.InfraDevice !== null).toBe(may('InfraDevice', 'view') && may('InfraSite', 'view'));
      const load = await world.ask('POST', `/api/schema/load?branch=${branch}`, {
        headers: key,
        payload: {schemas: [SCHEMA]},
      });
      const mayLoad = mayEdit && oracle(grants, {is: 'global', action: 'manage_schema'});
      expect(load.status).toBe(mayLoad ? 200 : 403);
    }
    expect((await world.store.verify()).problems).toEqual([]);
  });
});

describe('what a caller may not see', () => {
  const ASKED = [
    '{InfraPlace {count edges {cursor node {id display_label hfid name {value}}} pageInfo {endCursor hasNextPage}}}',
    '{InfraDevice {count edges {cursor node {id display_label hfid name {value} places {count edges {node {id name {value}}}}}}}}',
    '{CoreNode(any__value: "x1") {count edges {node {id}}}}',
    '{InfraPlace(name__value: "atl") {count}}',
    '{InfraDevice(places__name__value: "atl") {count}}',
    '{InfraDevice(places__isnull: true) {count}}',
    '{InfraDevice(where: {places: {name: {contains: "t"}}}) {count}}',
    '{InfraDevice(site__name__value: "atl") {count}}',
    '{InfraDevice(order: {by: [{path: "site__name__value"}]}) {edges {node {id}}}}',
    '{InfraDevice {edges {node {site {node {name {value}}}}}}}',
    '{InfraDevice {edges {node {history {edges {node {changes {field new_value}}}}}}}}',
    '{Relationship(ids: ["device__place", "site__device"]) {count edges {node {peers {id kind}}}}}',
  ];

  test('changes nothing in any answer, count, cursor or error of theirs', async () => {
    const {key} = await accountWith('object:*:*:view:allow_all', 'object:Infra:Site:any:deny');
    const answers = async () => Promise.all(ASKED.map(query => run(query, key)));
    const before = await answers();
    const shown = JSON.stringify(before);
    for (const hidden of [sites.atl, sites.ber, 'atl', 'ber', 'x1'])
      expect(shown).not.toContain(`"${hidden}"`);
    expect(before[0].data.InfraPlace.count).toBe(2);
    expect(before[4].data.InfraDevice.count).toBe(0);
    expect(before[7].data.InfraDevice).toBe(null);
    await world.update(sites.atl!, {name: 'aaa', secret: 'changed'});
    const extra = await world.make('InfraSite', {name: 'atl', secret: 'x1'});
    expect(await answers()).toEqual(before);
    await world.store.write(MAIN, {account: null}, draft => draft.delete(extra));
    await world.update(sites.atl!, {name: 'atl', secret: 'x1'});
  });

  test('may be a single attribute: it is null with an error, and decides nothing', async () => {
    const {key} = await accountWith('object:*:*:view:allow_all', 'object:Infra:Device:view:deny:serial');
    const body = await run('{InfraDevice {count edges {cursor node {name {value} serial {value}}}}}', key);
    expect(body.data.InfraDevice.edges.map(({node}: {node: object}) => node)).toEqual([
      {name: {value: 'r1'}, serial: null},
      {name: {value: 'r2'}, serial: null},
    ]);
    expect(body.errors).toEqual([
      {
        message: 'You are not allowed to view serial of InfraDevice',
        locations: [{line: 1, column: 54}],
        path: ['InfraDevice', 'edges', 'node', 'serial'],
        extensions: {
          code: 'PERMISSION_DENIED',
          http_status: 403,
          data: {action: 'view', kind: 'InfraDevice', attribute: 'serial'},
        },
      },
    ]);
    for (const query of [
      '{InfraDevice(serial__value: "a") {count}}',
      '{InfraDevice(serial__starts_with: "a") {count}}',
      '{InfraDevice(where: {serial: {value: "a"}}) {count}}',
      '{InfraDevice(order: {by: [{path: "serial__value"}]}) {count}}',
      '{InfraSite(devices__serial__value: "a") {count}}',
    ]) {
      const refused = await run(query, key);
      expect(codes(refused), query).toEqual(['PERMISSION_DENIED']);
    }
    expect((await run('{InfraDevice(any__value: "a") {count}}', key)).data.InfraDevice.count).toBe(0);
    expect((await run('{CoreNode(any__value: "a") {count}}', key)).data.CoreNode.count).toBe(0);
    const history = await run('{InfraDevice {edges {node {history {edges {node {changes {field}}}}}}}}', key);
    expect(JSON.stringify(history)).not.toContain('serial');
    const order = () => run('{InfraDevice {edges {cursor node {id}}}}', key);
    const before = await order();
    await world.update(devices.r1!, {serial: '0'});
    expect(await order()).toEqual(before);
    await world.update(devices.r1!, {serial: 'b'});
  });

  test('is not shown by the answer of a mutation either, which then changes nothing', async () => {
    const {key} = await accountWith(
      'global:edit_default_branch:allow_all',
      'object:Infra:Device:any:allow_all',
    );
    const body = await run(
      `mutation {InfraDeviceUpdate(data: {id: "${devices.r1}", name: {value: "new"}}) {object {site {node {name {value}}}}}}`,
      key,
    );
    expect(body.data.InfraDeviceUpdate).toBe(null);
    expect(codes(body)).toEqual(['PERMISSION_DENIED']);
    expect((await (await world.store.snapshot({branch: MAIN})).node(devices.r1!))?.value('name')).toBe('r1');
  });

  test('is not the own account, whatever else is hidden', async () => {
    const {key, id} = await accountWith('object:Core:AccountGroup:view:allow_all');
    const query =
      '{AccountProfile {id display_label name {value} member_of_groups {edges {node {members {count}}}}}}';
    const refused = await run(query, key);
    expect(codes(refused)).toEqual(['PERMISSION_DENIED']);
    const body = await run('{AccountProfile {id name {value} password {value} status {value}}}', key);
    expect(body).toEqual({
      data: {
        AccountProfile: {
          id,
          name: {value: `user${made}`},
          password: {value: null},
          status: {value: 'active'},
        },
      },
    });
  });

  test('includes hashes of passwords, for everybody', async () => {
    const body = await run(
      '{CoreAccount(name__value: "admin") {edges {node {password {value}}}}}',
      ADMIN_KEY,
    );
    expect(body.data.CoreAccount.edges).toEqual([{node: {password: {value: null}}}]);
    for (const query of [
      '{CoreAccount(password__starts_with: "$argon2id") {count}}',
      '{CoreAccount(password__value: "$argon2id", partial_match: true) {count}}',
      '{CoreAccount(where: {password: {contains: "$"}}) {count}}',
      '{CoreAccount(order: {by: [{path: "password__value"}]}) {count}}',
    ]) {
      expect(codes(await run(query, ADMIN_KEY)), query).toEqual(['VALIDATION_ERROR']);
    }
    expect(
      (await run('{CoreAccount(any__starts_with: "$argon2id") {count}}', ADMIN_KEY)).data?.CoreAccount
        ?.count ?? 0,
    ).toBe(0);
  });
});

describe('a change of permissions', () => {
  test('holds for the very next request', async () => {
    const {key, role, id} = await accountWith('object:Builtin:Tag:view:allow_all');
    const seen = async () => (await run('{InfraSite {count}}', key)).data.InfraSite !== null;
    expect(await seen()).toBe(false);
    const view = await permission('object:Infra:Site:any:allow_default');
    const link = {node: role, relationship: 'permissions', peer: view};
    await world.store.write(MAIN, {account: null}, draft => draft.link(link));
    expect(await seen()).toBe(true);
    await world.update(view, {decision: DECISION.allow_other});
    expect(await seen()).toBe(false);
    await world.update(view, {decision: DECISION.allow_default});
    expect(await seen()).toBe(true);
    const head = await world.store.snapshot({branch: MAIN});
    const group = (await head.neighbours(id, 'member_of_groups'))[0]!.id;
    await world.store.write(MAIN, {account: null}, draft =>
      draft.unlink({node: group, relationship: 'members', peer: id}),
    );
    expect(await seen()).toBe(false);
  });

  test('an account deactivated on a branch is deactivated everywhere', async () => {
    const {key, id} = await accountWith('object:*:*:view:allow_all');
    expect((await world.ask('GET', '/api/schema/summary', {headers: key})).status).toBe(200);
    await world.store.write(WORK, {account: null}, draft =>
      draft.update(id, {status: {value: 'inactive', isDefault: false}}),
    );
    expect((await world.ask('GET', '/api/schema/summary', {headers: key})).status).toBe(401);
  });

  test('needs more than the right to the kind', async () => {
    const {key, id} = await accountWith('global:edit_default_branch:allow_all', 'object:*:*:any:allow_all');
    const head = await world.store.snapshot({branch: MAIN});
    const {found} = await head.query({kind: 'CoreAccountGroup'});
    const admins = found.find(({node}) => node.value('name') === 'Super Administrators')!.node.id;
    for (const mutation of [
      `CoreAccountGroupUpdate(data: {id: "${admins}", members: [{id: "${id}"}]}) {ok}`,
      `RelationshipAdd(data: {id: "${admins}", name: "members", nodes: [{id: "${id}"}]}) {ok}`,
      `RelationshipAdd(data: {id: "${id}", name: "member_of_groups", nodes: [{id: "${admins}"}]}) {ok}`,
      `CoreAccountUpdate(data: {id: "${id}", member_of_groups: [{id: "${admins}"}]}) {ok}`,
    ]) {
      const body = await run(`mutation {${mutation}}`, key);
      expect(codes(body), mutation).toEqual(['PERMISSION_DENIED']);
    }
  });
});

describe('writes of a restricted caller', () => {
  test('leave a denied attribute alone, whichever mutation they use', async () => {
    const {key} = await accountWith(
      'global:edit_default_branch:allow_all',
      'object:*:*:any:allow_all',
      'object:Infra:Device:any:deny:serial',
    );
    const mutations = [
      `InfraDeviceUpdate(data: {id: "${devices.r1}", name: {value: "x"}, serial: {value: "x"}}) {ok}`,
      `InfraDeviceUpsert(data: {id: "${devices.r1}", serial: {value: "x"}}) {ok}`,
      'InfraDeviceCreate(data: {name: {value: "r9"}, serial: {value: "x"}}) {ok}',
    ];
    for (const mutation of mutations) {
      const body = await run(`mutation {${mutation}}`, key);
      expect(codes(body), mutation).toEqual(['PERMISSION_DENIED']);
      expect(body.errors[0].message).toMatch(/:allow_default:serial$/);
    }
    const allowed = `mutation {InfraDeviceUpdate(data: {id: "${devices.r1}", name: {value: "r1"}}, dry_run: true) {ok}}`;
    expect((await run(allowed, key)).errors).toBeUndefined();
  });

  test('delete an account with its sessions and keys, of which nobody is given the right', async () => {
    const {key} = await accountWith(
      'global:edit_default_branch:allow_all',
      'global:manage_accounts:allow_all',
      'object:Core:Account:any:allow_all',
    );
    const {id, key: theirs} = await world.account('leaver', []);
    const body = await run(`mutation {CoreAccountDelete(data: {id: "${id}"}) {ok}}`, key);
    expect(body).toEqual({data: {CoreAccountDelete: {ok: true}}});
    expect((await world.ask('GET', '/api/schema/summary', {headers: theirs})).status).toBe(401);
  });

  test('need the right to the default branch for mutations of no kind too', async () => {
    const {key} = await accountWith('object:*:*:any:allow_all', 'global:manage_schema:allow_all');
    const relate = `mutation {RelationshipRemove(data: {id: "${devices.r1}", name: "places", nodes: [{id: "${sites.ber}"}]}) {ok}}`;
    const body = await run(relate, key);
    expect(codes(body)).toEqual(['PERMISSION_DENIED']);
    expect((await run(relate, key, WORK)).errors).toBeUndefined();
  });

  test('that change the rules leave an audit line once they are committed', async () => {
    const audit = () => world.lines.filter(({message}) => message === 'access rules changed');
    const before = audit().length;
    const create = (dry: boolean) =>
      run(
        `mutation {CoreAccountGroupCreate(data: {name: {value: "audited"}}, dry_run: ${dry}) {ok}}`,
        ADMIN_KEY,
      );
    await create(true);
    expect(audit()).toHaveLength(before);
    await create(false);
    expect(audit().at(-1)).toMatchObject({
      logger: 'audit',
      by: await world.idOf('CoreAccount', 'admin'),
      branch: 'main',
      changes: ['create CoreAccountGroup'],
    });
  });
});
