import {describe, expect, test} from 'vitest';
import {loadSchema} from '../../src/app/schema/load-schema.ts';
import type {Json} from '../../src/base/json.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import type {Condition} from '../../src/domain/query/node-query.ts';
import type {Author, Draft, ReadPoint} from '../../src/ports/graph-store.ts';
import {kind, MAIN, number, openWorld, type SchemaWorld, SERVICE, text} from './schema-world.ts';

/*
 * What a load does to the objects that are there: in the same commit, so that the past keeps its shape and a load
 * that fails changes nothing.
 */
const device = (attributes: readonly object[], rest: object = {}) => ({
  nodes: [kind('Device', {attributes, ...rest})],
});

async function idOf(world: SchemaWorld, path: string, branch: string = MAIN): Promise<string> {
  const [name, field] = path.split('.');
  const {body} = await world.get(`/api/schema/${name}?branch=${branch}`);
  if (field === undefined) return body.id;
  return [...body.attributes, ...body.relationships].find((each: {name: string}) => each.name === field).id;
}

async function find(
  world: SchemaWorld,
  attribute: string,
  value: Json,
  point: ReadPoint | BranchName = MAIN,
) {
  const where: Condition = {is: 'attribute', attribute, property: 'value', test: {op: 'in', values: [value]}};
  const snapshot = await world.store.snapshot(typeof point === 'string' ? {branch: point} : point);
  const {found} = await snapshot.query({kind: 'InfraDevice', where});
  return found.map(({node}) => node.id);
}

async function loaded(world: SchemaWorld, root: object, branch: string = MAIN): Promise<void> {
  const {status, body} = await world.load(root, branch);
  expect([status, body.errors]).toEqual([200, undefined]);
}

describe('attributes', () => {
  test('one that is added shows its default, which is read and not written', async () => {
    const world = await openWorld();
    await loaded(world, device([text('name')]));
    const id = await world.create('InfraDevice', {name: 'old'});
    const version = (await world.node(id))?.version;
    await loaded(world, device([number('height', {default_value: 4})]));
    const node = await world.node(id);
    expect(node?.attribute('height')).toMatchObject({value: 4, isDefault: true});
    expect(node?.version).toBe(version);
    const [last] = await world.store.commits({branch: MAIN, limit: 1, newestFirst: true});
    expect([last?.nodesTouched, last?.edgesTouched]).toEqual([0, 0]);
    await loaded(world, device([number('height', {default_value: 8})]));
    expect(await world.value(id, 'height')).toBe(4);
  });

  test('one that is renamed keeps its values, its index and its constraints; the past its old name', async () => {
    const world = await openWorld();
    await loaded(world, device([text('name', {unique: true})]));
    const id = await world.create('InfraDevice', {name: 'edge-1'});
    const at = world.store.now();
    const attribute = await idOf(world, 'InfraDevice.name');
    await loaded(world, device([text('title', {id: attribute, unique: true})]));
    expect([await world.value(id, 'title'), await world.value(id, 'name')]).toEqual(['edge-1', undefined]);
    expect(await find(world, 'title', 'edge-1')).toEqual([id]);
    await expect(world.create('InfraDevice', {title: 'edge-1'})).rejects.toMatchObject({
      code: 'CONSTRAINT_VIOLATION',
    });
    const past = await world.store.snapshot({branch: MAIN, at});
    expect((await past.node(id))?.value('name')).toBe('edge-1');
    expect(await find(world, 'name', 'edge-1', {branch: MAIN, at})).toEqual([id]);
  });

  test('two that trade names keep their own values', async () => {
    const world = await openWorld();
    await loaded(world, device([text('left'), text('right')]));
    const id = await world.create('InfraDevice', {left: 'l', right: 'r'});
    const [left, right] = [await idOf(world, 'InfraDevice.left'), await idOf(world, 'InfraDevice.right')];
    await loaded(world, device([text('middle', {id: left})]));
    await loaded(world, device([text('left', {id: right})]));
    await loaded(world, device([text('right', {id: left})]));
    expect([await world.value(id, 'left'), await world.value(id, 'right')]).toEqual(['r', 'l']);
  });

  test('one that is removed and added again starts empty; the past still shows the old values', async () => {
    const world = await openWorld();
    await loaded(world, device([text('name'), text('role', {optional: true})]));
    const id = await world.create('InfraDevice', {name: 'a', role: 'leaf'});
    const at = world.store.now();
    await loaded(world, device([{name: 'role', state: 'absent'}]));
    expect(await world.value(id, 'role')).toBe(undefined);
    await loaded(world, device([text('role', {optional: true})]));
    expect(await world.value(id, 'role')).toBe(null);
    expect((await (await world.store.snapshot({branch: MAIN, at})).node(id))?.value('role')).toBe('leaf');
  });

  test('one that another generic takes over keeps its values and who set them', async () => {
    const world = await openWorld();
    const generics = ['One', 'Two'].map(name => kind(name, {attributes: [text('speed', {optional: true})]}));
    const inheriting = (...names: readonly string[]) => ({
      generics,
      nodes: [kind('Device', {inherit_from: names})],
    });
    await loaded(world, inheriting('InfraOne', 'InfraTwo'));
    const id = await world.create('InfraDevice', {speed: 'fast'});
    const owner = await world.create('InfraDevice', {speed: null});
    await world.commit(draft => draft.update(id, {speed: {owner, isProtected: true}}));
    await loaded(world, inheriting('InfraTwo', 'InfraOne'));
    expect((await world.node(id))?.attribute('speed')).toMatchObject({
      value: 'fast',
      owner,
      isProtected: true,
      isDefault: false,
    });
    expect(await world.problems()).toEqual([]);
  });
});

describe('a change of kind', () => {
  test.each<[string, string, readonly Json[], readonly Json[]]>([
    ['Number', 'Text', [1, 22, -3], ['1', '22', '-3']],
    ['Text', 'Number', ['1', '22', '-3'], [1, 22, -3]],
    ['Text', 'Boolean', ['true', 'false'], [true, false]],
    ['Text', 'TextArea', ['a', 'b'], ['a', 'b']],
    ['Text', 'IPHost', ['10.0.0.1', '10.0.0.2/24'], ['10.0.0.1/32', '10.0.0.2/24']],
    ['IPHost', 'Text', ['10.0.0.1/32'], ['10.0.0.1/32']],
    [
      'Text',
      'DateTime',
      ['2024-05-31', '2024-05-31T12:00:00Z'],
      ['2024-05-31T00:00:00Z', '2024-05-31T12:00:00Z'],
    ],
    ['List', 'JSON', [[1, 2]], [[1, 2]]],
  ])('%s to %s converts every value, and finds it', async (from, to, values, expected) => {
    const world = await openWorld();
    const field = (attributeKind: string) =>
      device([text('name'), {name: 'field', kind: attributeKind, optional: true}], {
        order_by: ['field__value'],
      });
    await loaded(world, field(from));
    const empty = await world.create('InfraDevice', {name: 'empty'});
    const ids: NodeId[] = [];
    for (const value of values) ids.push(await world.create('InfraDevice', {name: 'x', field: value}));
    const at = world.store.now();
    await loaded(world, field(to));
    for (const [index, id] of ids.entries()) {
      expect(await world.value(id, 'field')).toEqual(expected[index]);
      if (typeof expected[index] !== 'object')
        expect(await find(world, 'field', expected[index] as Json)).toEqual([id]);
      const past = await (await world.store.snapshot({branch: MAIN, at})).node(id);
      expect(past?.value('field')).toEqual(values[index]);
    }
    expect(await world.value(empty, 'field')).toBe(null);
    expect(await world.problems()).toEqual([]);
  });

  test('keeps unique values unique, on branches too', async () => {
    const world = await openWorld();
    const field = (attributeKind: string) => device([{name: 'field', kind: attributeKind, unique: true}]);
    await loaded(world, field('Text'));
    const id = await world.create('InfraDevice', {field: '10.0.0.1'});
    const branch = await world.branch('feature');
    await world.create('InfraDevice', {field: '10.0.0.2'}, {on: branch});
    await loaded(world, field('IPHost'), branch);
    const taken = {code: 'CONSTRAINT_VIOLATION'};
    await expect(world.create('InfraDevice', {field: '10.0.0.1/32'}, {on: branch})).rejects.toMatchObject(
      taken,
    );
    await expect(world.create('InfraDevice', {field: '10.0.0.2/32'}, {on: branch})).rejects.toMatchObject(
      taken,
    );
    await expect(world.create('InfraDevice', {field: '10.0.0.1'})).rejects.toMatchObject(taken);
    expect([await world.value(id, 'field'), await world.value(id, 'field', branch)]).toEqual([
      '10.0.0.1',
      '10.0.0.1/32',
    ]);
    expect(await world.problems()).toEqual([]);
  });

  test('keeps who set a value and how it is protected', async () => {
    const world = await openWorld();
    await loaded(world, device([number('size', {default_value: 1})]));
    const [chosen, untouched] = [
      await world.create('InfraDevice', {size: 5}),
      await world.create('InfraDevice', {}),
    ];
    await world.commit(draft => draft.update(chosen, {size: {isProtected: true}}));
    await world.commit(draft => draft.update(untouched, {size: {value: 1, isDefault: true}}));
    await loaded(world, device([text('size', {default_value: '1'})]));
    expect((await world.node(chosen))?.attribute('size')).toMatchObject({
      value: '5',
      isProtected: true,
      isDefault: false,
    });
    expect((await world.node(untouched))?.attribute('size')).toMatchObject({value: '1', isDefault: true});
  });

  test('converts what late objects show, without writing it', async () => {
    const world = await openWorld();
    await loaded(world, device([text('name')]));
    const id = await world.create('InfraDevice', {name: 'old'});
    await loaded(world, device([number('height', {default_value: 4})]));
    await loaded(world, device([text('height', {default_value: 'x'})]));
    expect(await world.value(id, 'height')).toBe('4');
    expect(await find(world, 'height', '4')).toEqual([id]);
  });

  test('moves the keys of what late objects show', async () => {
    const world = await openWorld();
    await loaded(world, device([text('name')]));
    const id = await world.create('InfraDevice', {name: 'old'});
    const code = (of: string, fallback: Json) =>
      device([{name: 'code', kind: of, unique: true, default_value: fallback}], {order_by: ['code__value']});
    await loaded(world, code('Number', 1));
    await loaded(world, code('Text', '1'));
    expect(await world.value(id, 'code')).toBe('1');
    await expect(world.create('InfraDevice', {name: 'new', code: '1'})).rejects.toMatchObject({
      code: 'CONSTRAINT_VIOLATION',
    });
    expect(await world.problems()).toEqual([]);
  });

  test('is refused with every object whose value cannot be converted', async () => {
    const world = await openWorld();
    await loaded(world, device([text('size')]));
    await world.create('InfraDevice', {size: '5'});
    const bad = await world.create('InfraDevice', {size: 'five'});
    const hash = await world.hash();
    const {status, body} = await world.load(device([number('size')]));
    expect(status).toBe(422);
    expect(body.errors[0].message).toContain(
      `(InfraDevice: ${bad}) is not compatible with the constraint 'attribute.kind.update' at 'schema/InfraDevice/size/kind'`,
    );
    expect(await world.hash()).toBe(hash);
    const large = device([number('size', {parameters: {max_value: 4}})]);
    await world.commit(draft => draft.update(bad, {size: {value: '4'}}));
    expect((await world.load(large)).body.errors[0].message).toContain('attribute.kind.update');
    await loaded(world, device([number('size', {parameters: {max_value: 5}})]));
  });

  test('carries profiles along', async () => {
    const world = await openWorld();
    await loaded(world, device([number('size', {optional: true})]));
    const profile = await world.create('ProfileInfraDevice', {profile_name: 'p', size: 7});
    await loaded(world, device([text('size', {optional: true})]));
    expect(await world.value(profile, 'size')).toBe('7');
  });

  test('of objects that every branch sees is for the default branch alone', async () => {
    const world = await openWorld();
    const shared = (attribute: object) => device([attribute], {branch: 'agnostic'});
    await loaded(world, shared(number('size')));
    const id = await world.create('InfraDevice', {size: 5});
    const branch = await world.branch('feature');
    expect((await world.load(shared(text('size')), branch)).status).toBe(422);
    expect((await world.load({nodes: [kind('Device', {state: 'absent'})]}, branch)).status).toBe(422);
    await loaded(world, shared(text('size')));
    expect(await world.value(id, 'size')).toBe('5');
    expect(await world.problems()).toEqual([]);
  });
});

describe('computed attributes', () => {
  const computed = (template: string, rest: object = {}) => [
    text('name'),
    {name: 'address', kind: 'Text', optional: true, ...rest},
    text('title', {
      optional: true,
      read_only: true,
      computed_attribute: {kind: 'Jinja2', jinja2_template: template},
    }),
  ];

  test('are rendered for the objects that are there, when they come and when they change', async () => {
    const world = await openWorld();
    await loaded(world, device([text('name'), text('address', {optional: true})]));
    const ids: NodeId[] = [];
    for (const name of ['a', 'b']) ids.push(await world.create('InfraDevice', {name, address: '10.0.0.1'}));
    const titles = () => Promise.all(ids.map(id => world.value(id, 'title')));
    await loaded(world, device(computed('the {{ name__value }}')));
    expect(await titles()).toEqual(['the a', 'the b']);
    await loaded(world, device(computed('{{ name__value }} {{ address__value }}')));
    expect(await titles()).toEqual(['a 10.0.0.1', 'b 10.0.0.1']);
    await loaded(world, device(computed('{{ name__value }} {{ address__value }}', {kind: 'IPHost'})));
    expect(await titles()).toEqual(['a 10.0.0.1/32', 'b 10.0.0.1/32']);
    expect(await world.problems()).toEqual([]);
  });

  test('that cannot be rendered for an object refuse the load', async () => {
    const world = await openWorld();
    await loaded(world, device([text('name')]));
    await world.create('InfraDevice', {name: 'a'});
    const hash = await world.hash();
    const {status} = await world.load(device(computed('{{ name__value // 0 }}')));
    expect([status, await world.hash()]).toEqual([422, hash]);
  });
});

describe('a load that breaks off', () => {
  const steps = ['putKind', 'dropKind', 'update', 'unlink', 'link'];

  test('at whatever step leaves nothing behind', async () => {
    const world = await openWorld();
    const peers = {relationships: [{name: 'tags', peer: 'BuiltinTag'}]};
    await loaded(world, {
      nodes: [
        kind('Device', {attributes: [text('name'), number('size')], ...peers}),
        kind('Gone', {attributes: [text('name')]}),
      ],
    });
    const tag = await world.create('BuiltinTag', {name: 'red'});
    const id = await world.create('InfraDevice', {name: 'a', size: 5}, {links: {tags: tag}});
    const gone = await world.create('InfraGone', {name: 'b'});
    const root = {
      nodes: [
        kind('Device', {
          attributes: [text('name', {unique: true}), text('size')],
          relationships: [{name: 'tags', state: 'absent'}],
        }),
        kind('Gone', {state: 'absent'}),
        kind('Born', {attributes: [text('name')]}),
      ],
    };
    const before = await world.hash();
    let broken = 0;
    for (let allowed = 0; ; allowed += 1) {
      const deps = {...world.deps, store: breaking(world.store, allowed)};
      const payload = [{version: '1.0', ...root}];
      const outcome = await loadSchema(deps, SERVICE, {branch: MAIN, payload}).catch(
        (error: unknown) => error,
      );
      if (!(outcome instanceof Error)) break;
      expect(outcome.message).toContain('the power fails');
      broken += 1;
      expect(await world.hash()).toBe(before);
      expect([await world.value(id, 'size'), await world.peers(id, 'tags')]).toEqual([5, [tag]]);
      expect(await world.value(gone, 'name')).toBe('b');
      expect(await world.problems()).toEqual([]);
    }
    expect(broken).toBeGreaterThan(6);
    expect([await world.value(id, 'size'), await world.node(gone)]).toEqual(['5', undefined]);
    expect(await world.problems()).toEqual([]);
  });

  /** A store whose drafts fail after so many changes. */
  function breaking(store: SchemaWorld['store'], allowed: number): SchemaWorld['store'] {
    let left = allowed;
    const count = <T>(run: () => T): T => {
      if (left === 0) throw new Error('the power fails');
      left -= 1;
      return run();
    };
    const draftOf = (draft: Draft): Draft =>
      new Proxy(draft, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key, target);
          if (typeof value !== 'function') return value;
          const call = (...given: unknown[]) => value.apply(target, given) as unknown;
          return steps.includes(String(key)) ? (...given: unknown[]) => count(() => call(...given)) : call;
        },
      });
    return new Proxy(store, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key, target);
        if (key === 'write') {
          return (branch: BranchName, author: Author, body: (draft: Draft) => Promise<unknown>) =>
            target.write(branch, author, async draft => body(draftOf(draft)));
        }
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }
});

describe('kinds', () => {
  test('one that is renamed keeps its objects, edges and profiles; the past its old name', async () => {
    const world = await openWorld();
    await loaded(world, {
      nodes: [
        kind('Device', {
          attributes: [text('name')],
          relationships: [{name: 'site', peer: 'InfraSite', cardinality: 'one'}],
        }),
        kind('Site', {attributes: [text('name')], relationships: [{name: 'devices', peer: 'InfraDevice'}]}),
      ],
    });
    const site = await world.create('InfraSite', {name: 'bern'});
    const id = await world.create('InfraDevice', {name: 'a'}, {links: {site}});
    const profile = await world.create('ProfileInfraDevice', {profile_name: 'p'});
    const at = world.store.now();
    const {body} = await world.load({
      nodes: [
        {id: await idOf(world, 'InfraDevice'), namespace: 'Net', name: 'Box', attributes: [text('name')]},
      ],
    });
    expect(body.diff.changed.NetBox.changed).toMatchObject({name: null, namespace: null});
    expect((await world.node(id))?.kind).toBe('NetBox');
    expect((await world.node(profile))?.kind).toBe('ProfileNetBox');
    expect([await world.peers(id, 'site'), await world.peers(site, 'devices')]).toEqual([[site], [id]]);
    const past = await world.store.snapshot({branch: MAIN, at});
    expect((await past.node(id))?.kind).toBe('InfraDevice');
    expect((await world.get('/api/schema/InfraDevice')).status).toBe(404);
    expect(await world.problems()).toEqual([]);
  });

  test('two that trade names keep their own objects, even as they are indexed anew', async () => {
    const world = await openWorld();
    const fields = {attributes: [text('name'), text('code')]};
    await loaded(world, {nodes: [kind('Left', fields), kind('Right', fields)]});
    const [left, right] = [
      await world.create('InfraLeft', {name: 'l', code: 'x'}),
      await world.create('InfraRight', {name: 'r', code: 'y'}),
    ];
    const unique = {attributes: [text('name', {unique: true}), text('code')], order_by: ['code__value']};
    await loaded(world, {
      nodes: [
        kind('Right', {id: await idOf(world, 'InfraLeft'), ...unique}),
        kind('Left', {id: await idOf(world, 'InfraRight'), ...unique}),
      ],
    });
    expect([(await world.node(left))?.kind, (await world.node(right))?.kind]).toEqual([
      'InfraRight',
      'InfraLeft',
    ]);
    expect(await world.value(left, 'name')).toBe('l');
    await expect(world.create('InfraRight', {name: 'l', code: 'z'})).rejects.toMatchObject({
      code: 'CONSTRAINT_VIOLATION',
    });
    await world.create('InfraLeft', {name: 'l', code: 'z'});
    expect(await world.problems()).toEqual([]);
  });

  test('one that goes takes its objects, edges, profiles and templates; one that comes back starts empty', async () => {
    const world = await openWorld();
    const root = device([text('name')], {
      generate_template: true,
      relationships: [{name: 'tags', peer: 'BuiltinTag'}],
    });
    await loaded(world, root);
    const tag = await world.create('BuiltinTag', {name: 'red'});
    const id = await world.create('InfraDevice', {name: 'a'}, {links: {tags: tag}});
    const profile = await world.create('ProfileInfraDevice', {profile_name: 'p'});
    const template = await world.create('TemplateInfraDevice', {template_name: 't'});
    const at = world.store.now();
    const {body} = await world.load(device([], {state: 'absent'}));
    expect(body.diff.removed).toEqual({InfraDevice: null});
    for (const each of [id, profile, template]) expect(await world.node(each)).toBe(undefined);
    expect(await world.node(tag)).not.toBe(undefined);
    await loaded(world, root);
    expect(
      (await (await world.store.snapshot({branch: MAIN})).query({kind: 'InfraDevice', count: true})).count,
    ).toBe(0);
    expect((await (await world.store.snapshot({branch: MAIN, at})).node(id))?.value('name')).toBe('a');
    expect(await world.problems()).toEqual([]);
  });

  test('one that joins a generic answers for it, with the attributes it brings', async () => {
    const world = await openWorld();
    await loaded(world, device([text('name')]));
    const id = await world.create('InfraDevice', {name: 'a'});
    await loaded(world, {
      generics: [kind('Asset', {attributes: [text('owner_name', {default_value: 'us'})]})],
      ...device([text('name')], {inherit_from: ['InfraAsset']}),
    });
    const {found} = await (await world.store.snapshot({branch: MAIN})).query({kind: 'InfraAsset'});
    expect(found.map(({node}) => [node.id, node.value('owner_name')])).toEqual([[id, 'us']]);
  });
});

describe('edges', () => {
  const tags = (rest: object) =>
    device([text('name')], {relationships: [{name: 'tags', peer: 'BuiltinTag', ...rest}]});

  async function tagged() {
    const world = await openWorld();
    await loaded(world, tags({}));
    const tag = await world.create('BuiltinTag', {name: 'red'});
    const id = await world.create('InfraDevice', {name: 'a'}, {links: {tags: tag}});
    return {world, id, tag};
  }

  test('of a relationship that goes end, so that it starts empty when it comes again', async () => {
    const {world, id, tag} = await tagged();
    const at = world.store.now();
    await loaded(world, tags({state: 'absent'}));
    await loaded(world, tags({cardinality: 'one'}));
    expect(await world.peers(id, 'tags')).toEqual([]);
    const past = await (await world.store.snapshot({branch: MAIN, at})).neighbours(id, 'tags');
    expect(past.map(each => each.id)).toEqual([tag]);
    expect(await world.problems()).toEqual([]);
  });

  test('stay while the other end shows them', async () => {
    const world = await openWorld();
    const ends = (one: object, other: object) => ({
      nodes: [
        kind('Device', {
          attributes: [text('name')],
          relationships: [{name: 'site', peer: 'InfraSite', ...one}],
        }),
        kind('Site', {
          attributes: [text('name')],
          relationships: [{name: 'devices', peer: 'InfraDevice', ...other}],
        }),
      ],
    });
    await loaded(world, ends({}, {}));
    const site = await world.create('InfraSite', {name: 'bern'});
    const id = await world.create('InfraDevice', {name: 'a'}, {links: {site}});
    await loaded(world, ends({state: 'absent'}, {}));
    expect(await world.peers(site, 'devices')).toEqual([id]);
    await loaded(world, ends({}, {}));
    expect(await world.peers(id, 'site')).toEqual([site]);
    await loaded(world, ends({state: 'absent'}, {state: 'absent'}));
    await loaded(world, ends({}, {}));
    expect([await world.peers(id, 'site'), await world.peers(site, 'devices')]).toEqual([[], []]);
    expect(await world.problems()).toEqual([]);
  });

  test('of a renamed relationship stay', async () => {
    const {world, id, tag} = await tagged();
    const relationship = await idOf(world, 'InfraDevice.tags');
    await loaded(
      world,
      device([text('name')], {relationships: [{id: relationship, name: 'labels', peer: 'BuiltinTag'}]}),
    );
    expect(await world.peers(id, 'labels')).toEqual([tag]);
  });

  test('follow their relationship to another identifier', async () => {
    const {world, id, tag} = await tagged();
    await world.commit(draft => draft.link({node: id, relationship: 'tags', peer: tag}, {isProtected: true}));
    await loaded(world, tags({identifier: 'device__labels'}));
    const [edge] = await (await world.store.snapshot({branch: MAIN})).neighbours(id, 'tags');
    expect([edge?.id, edge?.edge.properties.isProtected]).toEqual([tag, true]);
    expect(await world.problems()).toEqual([]);
  });
});

describe('branches and time', () => {
  test('a load on a branch stays there, and old instants keep their shape', async () => {
    const world = await openWorld();
    await loaded(world, device([text('name'), number('size')]));
    const id = await world.create('InfraDevice', {name: 'a', size: 5});
    const branch = await world.branch('feature');
    const before = world.store.now();
    await loaded(
      world,
      device([{name: 'name', state: 'absent'}, text('size'), text('role', {default_value: 'leaf'})]),
      branch,
    );
    expect([
      await world.value(id, 'size'),
      await world.value(id, 'role'),
      await world.value(id, 'name'),
    ]).toEqual([5, undefined, 'a']);
    expect([
      await world.value(id, 'size', branch),
      await world.value(id, 'role', branch),
      await world.value(id, 'name', branch),
    ]).toEqual(['5', 'leaf', undefined]);
    const past = await world.store.snapshot({branch, at: before});
    expect((await past.node(id))?.value('size')).toBe(5);
    expect(world.deps.schemas.of(past).hash).toBe(await world.hash());
    expect((await world.store.branch(branch)).hasSchemaChanges).toBe(true);
    expect(await world.problems()).toEqual([]);
  });

  test('data of the branch is checked, data elsewhere is not', async () => {
    const world = await openWorld();
    await loaded(world, device([text('name')]));
    const branch = await world.branch('feature');
    for (const name of ['a', 'a']) await world.create('InfraDevice', {name});
    await world.create('InfraDevice', {name: 'b'}, {on: branch});
    const unique = device([text('name', {unique: true})]);
    expect((await world.load(unique)).status).toBe(422);
    await loaded(world, unique, branch);
    expect(await world.problems()).toEqual([]);
  });

  test('the same schema loaded on two branches is the same, ids and all', async () => {
    const world = await openWorld();
    const [one, two] = [await world.branch('one'), await world.branch('two')];
    for (const branch of [one, two]) await loaded(world, device([text('name')]), branch);
    const shown = async (branch: string) => (await world.get(`/api/schema?branch=${branch}`)).text;
    expect(await shown(one)).toBe(await shown(two));
  });
});
