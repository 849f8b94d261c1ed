import {beforeAll, describe, expect, test} from 'vitest';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import {kind, number, openWorld, type SchemaWorld, text} from './schema-world.ts';

/*
 * Every change that asks something of the data: refused with the objects in the way, and taken once they are out
 * of it. A refused load leaves nothing behind.
 */
let world: SchemaWorld;
let before: {hash: string; commits: number};

beforeAll(async () => {
  world = await openWorld();
});

async function state() {
  const commits = await world.store.commits({
    branch: world.store.defaultBranch,
    limit: 10_000,
    newestFirst: true,
  });
  return {hash: await world.hash(), commits: commits.length};
}

/** Loads what is refused, and proves that it left no trace. */
async function refused(root: object): Promise<{message: string; named: readonly string[]}> {
  before = await state();
  const checked = await world.check(root);
  const loaded = await world.load(root);
  expect([loaded.status, checked.status]).toEqual([422, 422]);
  expect(loaded.body).toEqual(checked.body);
  expect(await state()).toEqual(before);
  const message: string = loaded.body.errors[0].message;
  const named = [...message.matchAll(/\((?:Infra|Profile)\w+: ([0-9a-f-]{36})\)/g)].map(
    match => match[1] as string,
  );
  return {message, named: named.toSorted()};
}

async function taken(root: object): Promise<void> {
  expect((await world.check(root)).status).toBe(202);
  const loaded = await world.load(root);
  expect([loaded.status, loaded.body.errors]).toEqual([200, undefined]);
  expect(loaded.body.schema_updated).toBe(true);
}

const set = (id: NodeId, attribute: string, value: string | number | null) =>
  world.commit(draft => draft.update(id, {[attribute]: {value}}));
const remove = (id: NodeId) => world.commit(draft => draft.delete(id));

let serial = 0;
/** A kind of its own for each case, so that cases do not meet. */
function fresh(fields: object = {}) {
  serial += 1;
  const name = `Case${serial}`;
  return {
    name: `Infra${name}`,
    root: (rest: object = fields) => ({nodes: [kind(name, rest)]}),
    absent: () => ({nodes: [kind(name, {state: 'absent'})]}),
  };
}

describe('a value must fit the attribute as it will be', () => {
  test.each([
    [
      'a regular expression',
      text('code', {optional: true}),
      {regex: '^[a-z]+$'},
      ['abc', null],
      'A1',
      'regex',
      'attribute.regex.update',
    ],
    [
      'a least length',
      text('code', {optional: true}),
      {parameters: {min_length: 3}},
      ['abc', null],
      'ab',
      'min_length',
      'attribute.min_length.update',
    ],
    [
      'a greatest length',
      text('code', {optional: true}),
      {parameters: {max_length: 3}},
      ['abc', null],
      'abcd',
      'max_length',
      'attribute.max_length.update',
    ],
    [
      'an enum',
      text('code', {optional: true}),
      {enum: ['one', 'two']},
      ['one', null],
      'three',
      'enum',
      'attribute.enum.update',
    ],
    [
      'a least value',
      number('code', {optional: true}),
      {parameters: {min_value: 10}},
      [10, null],
      9,
      'min_value',
      'attribute.parameters.min_value.update',
    ],
    [
      'a greatest value',
      number('code', {optional: true}),
      {parameters: {max_value: 10}},
      [10, null],
      11,
      'max_value',
      'attribute.parameters.max_value.update',
    ],
    [
      'excluded values',
      number('code', {optional: true}),
      {parameters: {excluded_values: '5-7'}},
      [4, null],
      6,
      'excluded_values',
      'attribute.parameters.excluded_values.update',
    ],
    [
      'a regular expression on items',
      {name: 'code', kind: 'List', optional: true},
      {parameters: {regex: '^a'}},
      [['a', 'ab'], null],
      ['a', 'b'],
      'regex',
      'attribute.regex.update',
    ],
  ])('%s', async (_, attribute, rule, good, bad, property, constraint) => {
    const a = fresh();
    await world.load(a.root({attributes: [text('name'), attribute]}));
    for (const code of good) await world.create(a.name, {name: 'good', code});
    const id = await world.create(a.name, {name: 'bad', code: bad});
    const tightened = a.root({attributes: [text('name'), {...attribute, ...rule}]});
    const {message, named} = await refused(tightened);
    expect(named).toEqual([id]);
    expect(message).toContain(
      `is not compatible with the constraint '${constraint}' at 'schema/${a.name}/code/${property}'`,
    );
    await remove(id);
    await taken(tightened);
  });

  test('an object is named for the rule it breaks and no other', async () => {
    const a = fresh();
    await world.load(a.root({attributes: [text('code')]}));
    const [long, capital] = [
      await world.create(a.name, {code: 'abcdef'}),
      await world.create(a.name, {code: 'A'}),
    ];
    const {message} = await refused(
      a.root({attributes: [text('code', {regex: '^[a-z]+$', parameters: {max_length: 3}})]}),
    );
    const lines = message
      .split(',\n')
      .map(line => [line.match(/: ([0-9a-f-]{36})/)?.[1], line.match(/'(attribute[^']+)'/)?.[1]]);
    expect(lines.toSorted()).toEqual(
      [
        [capital, 'attribute.regex.update'],
        [long, 'attribute.max_length.update'],
      ].toSorted(),
    );
  });

  test('choices that go must not be chosen; choices that come cost nothing', async () => {
    const a = fresh();
    const status = (...names: readonly string[]) =>
      a.root({
        attributes: [
          {name: 'status', kind: 'Dropdown', optional: true, choices: names.map(name => ({name}))},
        ],
      });
    await world.load(status('up', 'down', 'gone'));
    const [up, gone] = [
      await world.create(a.name, {status: 'up'}),
      await world.create(a.name, {status: 'gone'}),
    ];
    const {named, message} = await refused(status('up', 'down'));
    expect([named, message]).toEqual([[gone], expect.stringContaining("'attribute.choices.update'")]);
    await taken(status('up', 'down', 'gone', 'new'));
    await set(gone, 'status', 'down');
    await taken(status('up', 'down'));
    expect([await world.value(up, 'status'), await world.value(gone, 'status')]).toEqual(['up', 'down']);
  });

  test('an enum that shrinks asks those who have what goes', async () => {
    const a = fresh();
    const size = (members: readonly number[]) => a.root({attributes: [number('size', {enum: members})]});
    await world.load(size([1, 2, 3]));
    await world.create(a.name, {size: 1});
    const three = await world.create(a.name, {size: 3});
    expect((await refused(size([1, 2]))).named).toEqual([three]);
    await taken(size([1, 3, 9]));
  });

  test('the list of objects is cut at twenty and counted', async () => {
    const a = fresh();
    await world.load(a.root({attributes: [text('name')], display_labels: ['name__value']}));
    await world.commit(async draft => {
      for (let index = 0; index < 33; index += 1) {
        const id = `11111111-0000-4000-8000-${String(index).padStart(12, '0')}` as NodeId;
        await draft.create({id, kind: a.name, attributes: {name: {value: `BAD-${index}`}}});
      }
    });
    const {message, named} = await refused(a.root({attributes: [text('name', {regex: '^[a-z]'})]}));
    expect(named.length).toBe(20);
    expect(message).toMatch(/^BAD-\d+ \(InfraCase\d+: [0-9a-f-]+\) is not compatible with the constraint /);
    expect(message.split(',\n').at(-1)).toMatch(
      /^13 more objects are not compatible with the constraint 'attribute.regex.update' at /,
    );
  });
});

describe('values that become mandatory', () => {
  test('an attribute', async () => {
    const a = fresh();
    const role = (rest: object) => a.root({attributes: [text('name'), text('role', rest)]});
    await world.load(role({optional: true}));
    await world.create(a.name, {name: 'set', role: 'leaf'});
    const unset = await world.create(a.name, {name: 'unset'});
    const {named, message} = await refused(role({}));
    expect([named, message]).toEqual([
      [unset],
      expect.stringContaining(`'attribute.optional.update' at 'schema/${a.name}/role/optional'`),
    ]);
    await set(unset, 'role', 'spine');
    await taken(role({}));
  });

  test('an added attribute without a default, while there are objects', async () => {
    const a = fresh();
    await world.load(a.root({attributes: [text('name')]}));
    const id = await world.create(a.name, {name: 'old'});
    const {named, message} = await refused(a.root({attributes: [text('serial')]}));
    expect([named, message]).toEqual([
      [id],
      expect.stringContaining(`'node.attribute.add' at 'schema/${a.name}/serial'`),
    ]);
    await taken(a.root({attributes: [text('serial', {optional: true})]}));
    expect(await world.value(id, 'serial')).toBe(null);
    await taken(a.root({attributes: [number('height', {default_value: 4})]}));
    expect(await world.value(id, 'height')).toBe(4);
  });
});

describe('uniqueness', () => {
  test('of one attribute names all that share a value, once', async () => {
    const a = fresh();
    await world.load(a.root({attributes: [text('name'), text('code', {optional: true})]}));
    const same = [];
    for (const name of ['a', 'b', 'c']) same.push(await world.create(a.name, {name, code: 'x'}));
    for (const code of [null, null, 'y']) await world.create(a.name, {name: 'free', code});
    const unique = a.root({attributes: [text('code', {optional: true, unique: true})]});
    const {named, message} = await refused(unique);
    expect(named).toEqual(same.toSorted());
    expect(message).toContain(`'attribute.unique.update' at 'schema/${a.name}/code/unique'`);
    await set(same[0] as NodeId, 'code', 'z');
    await set(same[1] as NodeId, 'code', null);
    await taken(unique);
    await expect(world.create(a.name, {name: 'late', code: 'z'})).rejects.toMatchObject({
      code: 'CONSTRAINT_VIOLATION',
    });
  });

  test('of several fields, a relationship among them', async () => {
    const site = fresh({attributes: [text('name')]});
    await world.load(site.root());
    const a = fresh();
    const fields = {
      attributes: [text('name')],
      relationships: [{name: 'site', peer: site.name, cardinality: 'one', optional: false}],
    };
    await world.load(a.root(fields));
    const [bern, basel] = [
      await world.create(site.name, {name: 'bern'}),
      await world.create(site.name, {name: 'basel'}),
    ];
    const one = await world.create(a.name, {name: 'edge'}, {links: {site: bern}});
    await world.create(a.name, {name: 'edge'}, {links: {site: basel}});
    const two = await world.create(a.name, {name: 'edge'}, {links: {site: bern}});
    const unique = a.root({...fields, uniqueness_constraints: [['site', 'name__value']]});
    const {named, message} = await refused(unique);
    expect(named).toEqual([one, two].toSorted());
    expect(message).toContain(
      `'node.uniqueness_constraints.update' at 'schema/${a.name}/uniqueness_constraints'`,
    );
    await set(two, 'name', 'core');
    await taken(unique);
    expect(await world.problems()).toEqual([]);
  });

  test('of a generic spans its kinds', async () => {
    const generic = (unique: boolean) => ({
      generics: [kind('Tagged', {attributes: [text('label', {unique})]})],
      nodes: ['Left', 'Right'].map(name => kind(name, {inherit_from: ['InfraTagged']})),
    });
    await world.load(generic(false));
    const [left, right] = [
      await world.create('InfraLeft', {label: 'x'}),
      await world.create('InfraRight', {label: 'x'}),
    ];
    const {named, message} = await refused(generic(true));
    expect(named).toEqual([left, right].toSorted());
    expect(message).toContain("'schema/InfraTagged/label/unique'");
    await set(right, 'label', 'y');
    await taken(generic(true));
  });

  test('of a default that everybody would share', async () => {
    const a = fresh();
    await world.load(a.root({attributes: [text('name')]}));
    const ids = [await world.create(a.name, {name: 'a'}), await world.create(a.name, {name: 'b'})];
    const added = a.root({attributes: [text('code', {unique: true, default_value: 'x'})]});
    expect((await refused(added)).named).toEqual(ids.toSorted());
  });
});

describe('relationships', () => {
  function related(rest: (peer: string) => object) {
    const peer = fresh({attributes: [text('name')]});
    const a = fresh();
    return {
      peer,
      a,
      before: a.root({
        attributes: [text('name')],
        relationships: [{name: 'links', peer: peer.name, ...rest(peer.name)}],
      }),
    };
  }
  const links = (a: ReturnType<typeof fresh>, peer: string, rest: object) =>
    a.root({attributes: [text('name')], relationships: [{name: 'links', peer, ...rest}]});

  test.each([
    ['one peer', {}, {cardinality: 'one'}, 2, 'relationship.cardinality.update', 'cardinality'],
    ['at most two peers', {}, {max_count: 2}, 3, 'relationship.max_count.update', 'max_count'],
    ['a peer', {}, {optional: false}, 0, 'relationship.optional.update', 'optional'],
    [
      'two peers',
      {min_count: 1, optional: false},
      {min_count: 2, optional: false},
      1,
      'relationship.min_count.update',
      'min_count',
    ],
    [
      'one peer and no fewer',
      {},
      {cardinality: 'one', optional: false},
      0,
      'relationship.cardinality.update',
      'cardinality',
    ],
  ])('%s for each object', async (_, was, is, count, constraint, property) => {
    const {peer, a, before: root} = related(() => was);
    await world.load(peer.root());
    await world.load(root);
    const peers = [];
    for (const name of ['p', 'q', 'r']) peers.push(await world.create(peer.name, {name}));
    const good = 'max_count' in is || 'min_count' in is ? peers.slice(0, 2) : peers.slice(0, 1);
    await world.create(a.name, {name: 'good'}, {links: {links: good}});
    const bad = await world.create(a.name, {name: 'bad'}, {links: {links: peers.slice(0, count)}});
    const {named, message} = await refused(links(a, peer.name, is));
    expect([named, message]).toEqual([
      [bad],
      expect.stringContaining(`'${constraint}' at 'schema/${a.name}/links/${property}'`),
    ]);
    await remove(bad);
    await taken(links(a, peer.name, is));
    expect(await world.problems()).toEqual([]);
  });

  test('that are added as mandatory while there are objects', async () => {
    const peer = fresh({attributes: [text('name')]});
    const a = fresh();
    await world.load(peer.root());
    await world.load(a.root({attributes: [text('name')]}));
    const id = await world.create(a.name, {name: 'old'});
    const {named, message} = await refused(links(a, peer.name, {optional: false, cardinality: 'one'}));
    expect([named, message]).toEqual([
      [id],
      expect.stringContaining(`'node.relationship.add' at 'schema/${a.name}/links'`),
    ]);
    await taken(links(a, peer.name, {cardinality: 'one'}));
  });

  test('that are added find the edges that the other end has shown all along', async () => {
    const a = fresh();
    const b = fresh();
    await world.load(a.root({attributes: [text('name')]}));
    const identifier = `seen__${a.name.toLowerCase()}`;
    await world.load(
      b.root({attributes: [text('name')], relationships: [{name: 'ones', peer: a.name, identifier}]}),
    );
    const ids = [];
    for (const name of ['x', 'y']) ids.push(await world.create(a.name, {name}));
    await world.create(b.name, {name: 'first'}, {links: {ones: ids}});
    const second = await world.create(b.name, {name: 'second'}, {links: {ones: ids[0] as NodeId}});
    const back = (rest: object) =>
      a.root({
        attributes: [text('name')],
        relationships: [{name: 'back', peer: b.name, identifier, ...rest}],
      });
    expect((await refused(back({cardinality: 'one', optional: false}))).named).toEqual([ids[0]]);
    await remove(second);
    await taken(back({cardinality: 'one', optional: false}));
    expect((await world.peers(ids[1] as NodeId, 'back')).length).toBe(1);
  });

  test('must not lead to what the new peer is not', async () => {
    const {peer, a, before: root} = related(() => ({}));
    const other = fresh({attributes: [text('name')]});
    await world.load(peer.root());
    await world.load(other.root());
    await world.load(root);
    const id = await world.create(
      a.name,
      {name: 'bad'},
      {links: {links: await world.create(peer.name, {name: 'p'})}},
    );
    await world.create(a.name, {name: 'free'});
    const {named, message} = await refused(links(a, other.name, {}));
    expect([named, message]).toEqual([
      [id],
      expect.stringContaining(`'relationship.peer.update' at 'schema/${a.name}/links/peer'`),
    ]);
    await remove(id);
    await taken(links(a, other.name, {}));
  });

  test('must have the common parent that is asked for', async () => {
    const names = ['Rack', 'Server', 'Card'].map(name => `${name}P`);
    const [rack, server, card] = names as [string, string, string];
    const parent = {name: 'rack', peer: `Infra${rack}`, kind: 'Parent', cardinality: 'one', optional: false};
    const root = (common: object) => ({
      nodes: [
        kind(rack, {attributes: [text('name')]}),
        kind(server, {attributes: [text('name')], relationships: [parent]}),
        kind(card, {
          attributes: [text('name')],
          relationships: [parent, {name: 'servers', peer: `Infra${server}`, ...common}],
        }),
      ],
    });
    await world.load(root({}));
    const racks = [
      await world.create(`Infra${rack}`, {name: 'a'}),
      await world.create(`Infra${rack}`, {name: 'b'}),
    ] as const;
    const servers = [];
    for (const each of racks)
      servers.push(await world.create(`Infra${server}`, {name: 's'}, {links: {rack: each}}));
    await world.create(
      `Infra${card}`,
      {name: 'good'},
      {links: {rack: racks[0], servers: servers[0] as NodeId}},
    );
    const bad = await world.create(`Infra${card}`, {name: 'bad'}, {links: {rack: racks[0], servers}});
    const {named, message} = await refused(root({common_parent: 'rack'}));
    expect([named, message]).toEqual([[bad], expect.stringContaining("'relationship.common_parent.update'")]);
    await remove(bad);
    await taken(root({common_parent: 'rack'}));
  });
});

describe('kinds', () => {
  test('that leave a generic while they have objects', async () => {
    const a = fresh();
    const generic = {generics: [kind('Leavable')]};
    await world.load({...generic, ...a.root({attributes: [text('name')], inherit_from: ['InfraLeavable']})});
    const id = await world.create(a.name, {name: 'x'});
    const left = a.root({attributes: [text('name')], inherit_from: []});
    const {named, message} = await refused(left);
    expect([named, message]).toEqual([
      [id],
      expect.stringContaining(`'node.inherit_from.update' at 'schema/${a.name}/inherit_from'`),
    ]);
    await remove(id);
    await taken(left);
  });

  test('whose profiles go while there are some', async () => {
    const a = fresh();
    await world.load(a.root({attributes: [text('name')]}));
    const profile = await world.create(`Profile${a.name}`, {profile_name: 'p'});
    const off = a.root({generate_profile: false});
    const {named, message} = await refused(off);
    expect([named, message]).toEqual([
      [profile],
      expect.stringContaining(`'node.generate_profile.update' at 'schema/${a.name}/generate_profile'`),
    ]);
    await remove(profile);
    await taken(off);
    expect((await world.get(`/api/schema/Profile${a.name}`)).status).toBe(404);
  });

  test('that go take their objects along, except from those who cannot do without', async () => {
    const home = fresh();
    const generic = {generics: [kind('Place')]};
    await world.load({...generic, ...home.root({attributes: [text('name')], inherit_from: ['InfraPlace']})});
    const a = fresh();
    await world.load(
      a.root({
        attributes: [text('name')],
        relationships: [{name: 'place', peer: 'InfraPlace', cardinality: 'one', optional: false}],
      }),
    );
    const house = await world.create(home.name, {name: 'house'});
    const tenant = await world.create(a.name, {name: 'tenant'}, {links: {place: house}});
    const {named, message} = await refused(home.absent());
    expect([named, message]).toEqual([
      [tenant],
      expect.stringContaining(`'node.kind.remove' at 'schema/${a.name}/place'`),
    ]);
    await remove(tenant);
    await taken(home.absent());
    expect(await world.node(house)).toBe(undefined);
    expect(await world.problems()).toEqual([]);
  });

  test('that other kinds lead to cannot go', async () => {
    const peer = fresh({attributes: [text('name')]});
    await world.load(peer.root());
    const a = fresh();
    await world.load(a.root({relationships: [{name: 'peers', peer: peer.name}]}));
    const {body} = await world.load(peer.absent());
    expect(body.detail).toEqual([
      {
        loc: ['body', 'schemas'],
        msg: expect.stringContaining(`${a.name}.peers leads to ${peer.name}`),
        type: 'value_error',
      },
    ]);
  });

  test('cannot change where their objects live', async () => {
    const a = fresh();
    await world.load(a.root({attributes: [text('name')]}));
    const {status, body} = await world.load(a.root({branch: 'agnostic', attributes: [text('name')]}));
    expect(status).toBe(422);
    expect(body.detail.map((each: {loc: unknown[]}) => each.loc.join('.')).sort()).toContain(
      'body.schemas.0.nodes.0.branch',
    );
  });
});

describe('hierarchies', () => {
  test('a place that is no longer allowed must be empty', async () => {
    const root = (site: object) => ({
      generics: [kind('Location', {hierarchical: true, attributes: [text('name')]})],
      nodes: [
        kind('Region', {inherit_from: ['InfraLocation'], parent: ''}),
        kind('Hall', {inherit_from: ['InfraLocation'], ...site}),
      ],
    });
    await world.load(root({parent: 'InfraLocation'}));
    const region = await world.create('InfraRegion', {name: 'ch'});
    const hall = await world.create('InfraHall', {name: 'h1'}, {links: {parent: region}});
    const inner = await world.create('InfraHall', {name: 'h2'}, {links: {parent: hall}});
    const {named, message} = await refused(root({parent: 'InfraRegion'}));
    expect([named, message]).toEqual([
      [inner],
      expect.stringContaining("'node.parent.update' at 'schema/InfraHall/parent'"),
    ]);
    await remove(inner);
    await taken(root({parent: 'InfraRegion'}));
    expect((await refused(root({parent: ''}))).named).toEqual([hall]);
  });
});
