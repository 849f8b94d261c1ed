import {describe, expect, test} from 'vitest';
import {must} from '../../../base/assert.ts';
import {builtinSource} from '../builtin/builtin-source.ts';
import type {AttributeDefinition, NodeDefinition, SchemaSource} from '../source.ts';
import {documentOf, node, type Root, refusals, sourceOf, text} from '../test-support/load.ts';
import {applyDocument} from './apply-document.ts';

const kindIn = (source: SchemaSource, kind: string): NodeDefinition =>
  must(source.kinds.get(kind), kind) as NodeDefinition;

const attributeIn = (source: SchemaSource, kind: string, name: string): AttributeDefinition =>
  must(
    kindIn(source, kind).attributes.find(attribute => attribute.name === name),
    name,
  );

const device = (attributes: readonly object[] = [], rest: object = {}): Root => ({
  nodes: [node('Device', {attributes, ...rest})],
});

const refusedPaths = (...loads: readonly Root[]) => refusals(...loads).map(({path}) => path);

describe('loading again', () => {
  test('the same document changes nothing, not even the object', () => {
    const root = device([
      text('name', {unique: true}),
      {name: 'status', kind: 'Dropdown', choices: [{name: 'up'}]},
    ]);
    const source = sourceOf(root);
    expect(applyDocument(source, documentOf(root)).source).toBe(source);
  });

  test('what an entry leaves out stays, when nothing is its default', () => {
    const described = text('name', {
      label: 'Host',
      description: 'Its name',
      regex: '^a',
      enum: ['a'],
      default_value: 'a',
    });
    const source = sourceOf(
      device([described], {icon: 'mdi:box', order_by: ['name__value']}),
      device([text('name')]),
    );
    expect(attributeIn(source, 'InfraDevice', 'name')).toMatchObject({
      label: 'Host',
      description: 'Its name',
      parameters: {regex: '^a'},
      enum: ['a'],
      default_value: 'a',
    });
    expect(kindIn(source, 'InfraDevice')).toMatchObject({icon: 'mdi:box', order_by: ['name__value']});
  });

  test('a flag that an entry leaves out is reset', () => {
    const source = sourceOf(
      device([text('name', {unique: true, optional: true, read_only: true})], {include_in_menu: false}),
      device([text('name')]),
    );
    expect(attributeIn(source, 'InfraDevice', 'name')).toMatchObject({
      unique: false,
      optional: false,
      read_only: false,
    });
    expect(kindIn(source, 'InfraDevice').include_in_menu).toBe(true);
  });

  test('null clears nothing', () => {
    const source = sourceOf(device([text('name', {label: 'Host'})]), device([text('name', {label: null})]));
    expect(attributeIn(source, 'InfraDevice', 'name').label).toBe('Host');
  });

  test('fields that an entry does not mention stay', () => {
    const source = sourceOf(device([text('name')]), device([text('role')]));
    expect(kindIn(source, 'InfraDevice').attributes.map(({name}) => name)).toEqual(['name', 'role']);
  });

  test('a list of choices is replaced, and a choice that stays keeps its colour', () => {
    const status = (choices: readonly object[]) => device([{name: 'status', kind: 'Dropdown', choices}]);
    const before = sourceOf(status([{name: 'up'}, {name: 'down'}]));
    const after = applyDocument(before, documentOf(status([{name: 'up'}, {name: 'gone'}]))).source;
    const [up] = attributeIn(before, 'InfraDevice', 'status').choices ?? [];
    expect(attributeIn(after, 'InfraDevice', 'status').choices).toMatchObject([
      {name: 'up', color: up?.color},
      {name: 'gone'},
    ]);
  });

  test('leaving out inherit_from does not silently take generics away', () => {
    const inherits = {
      generics: [node('Endpoint')],
      nodes: [node('Device', {inherit_from: ['InfraEndpoint']})],
    };
    expect(refusedPaths(inherits, device())).toEqual(['InfraDevice.inherit_from']);
    expect(refusedPaths(inherits, device([], {inherit_from: []}))).toEqual([]);
  });

  test('a computation is taken away by saying that users set the value', () => {
    const computed = (computed_attribute: object) =>
      device([text('name'), text('title', {read_only: true, computed_attribute})]);
    const source = sourceOf(
      computed({kind: 'Jinja2', jinja2_template: '{{ name__value }}'}),
      computed({kind: 'User'}),
    );
    expect(attributeIn(source, 'InfraDevice', 'title').computed_attribute).toBe(null);
  });
});

describe('nodes and generics', () => {
  test('a kind is one or the other', () => {
    expect(refusedPaths(device(), {generics: [node('Device')]})).toContain('InfraDevice');
    expect(refusedPaths({generics: [node('Device')]}, device())).toContain('InfraDevice');
    expect(refusedPaths({generics: [node('Device')], nodes: [node('Device')]})).toContain('InfraDevice');
  });

  test('an extension adds to a kind that exists, in the same document or before', () => {
    const extension = {extensions: {nodes: [{kind: 'InfraDevice', attributes: [text('role')]}]}};
    expect(refusedPaths({...device(), ...extension})).toEqual([]);
    expect(refusedPaths(device(), extension)).toEqual([]);
    expect(refusedPaths(extension)).toEqual(['InfraDevice']);
  });

  test('an attribute does not become a relationship', () => {
    const relationships = [{name: 'site', peer: 'BuiltinTag'}];
    expect(refusedPaths(device([text('site')]), device([], {relationships}))).toEqual(['InfraDevice.site']);
  });
});

describe('removal', () => {
  test('takes away what is named absent, and nothing else', () => {
    const source = sourceOf(device([text('name'), text('role')]), device([{name: 'role', state: 'absent'}]));
    expect(kindIn(source, 'InfraDevice').attributes.map(({name}) => name)).toEqual(['name']);
    expect(sourceOf(device(), device([], {state: 'absent'})).kinds.has('InfraDevice')).toBe(false);
  });

  test('of what is not there asks for nothing', () => {
    const source = sourceOf(device());
    const removals = {
      nodes: [
        node('Device', {attributes: [{name: 'role', state: 'absent'}]}),
        node('Site', {state: 'absent'}),
      ],
    };
    expect(applyDocument(source, documentOf(removals))).toEqual({source, problems: []});
  });

  test('of an inherited field belongs on the generic', () => {
    const root = {
      generics: [node('Endpoint', {attributes: [text('speed')]})],
      nodes: [node('Port', {inherit_from: ['InfraEndpoint']})],
    };
    const removal = {
      nodes: [
        node('Port', {inherit_from: ['InfraEndpoint'], attributes: [{name: 'speed', state: 'absent'}]}),
      ],
    };
    expect(refusedPaths(root, removal)).toEqual(['InfraPort.speed.state']);
  });

  test('moves no other field: weights are given once', () => {
    const source = sourceOf(
      device([text('first'), text('second'), text('third')]),
      device([{name: 'second', state: 'absent'}]),
      device([text('fourth')]),
    );
    expect(kindIn(source, 'InfraDevice').attributes.map(each => [each.name, each.order_weight])).toEqual([
      ['first', 1000],
      ['third', 3000],
      ['fourth', 4000],
    ]);
  });
});

describe('ids', () => {
  test('are the same for the same addition made twice', () => {
    expect(sourceOf(device([text('name')]))).toEqual(sourceOf(device([text('name')])));
  });

  test('are new for a field that was removed and added again', () => {
    const removal = device([{name: 'name', state: 'absent'}]);
    const first = attributeIn(sourceOf(device([text('name')])), 'InfraDevice', 'name').id;
    const second = attributeIn(
      sourceOf(device([text('name')]), removal, device([text('name')])),
      'InfraDevice',
      'name',
    ).id;
    expect(second).not.toBe(first);
  });

  test('are new for a kind that was removed and added again, and for its fields', () => {
    const root = device([text('name')]);
    const before = sourceOf(root);
    const after = sourceOf(root, device([], {state: 'absent'}), root);
    expect(kindIn(after, 'InfraDevice').id).not.toBe(kindIn(before, 'InfraDevice').id);
    expect(attributeIn(after, 'InfraDevice', 'name').id).not.toBe(
      attributeIn(before, 'InfraDevice', 'name').id,
    );
  });

  test('are kept by a rename, and free the old name for a new id', () => {
    const before = sourceOf(device([text('name')]));
    const {id} = attributeIn(before, 'InfraDevice', 'name');
    const renamed = applyDocument(before, documentOf(device([text('title', {id})]))).source;
    expect(attributeIn(renamed, 'InfraDevice', 'title').id).toBe(id);
    const again = applyDocument(renamed, documentOf(device([text('name')]))).source;
    expect(attributeIn(again, 'InfraDevice', 'name').id).not.toBe(id);
  });

  test('of an override are those of the field that it overrides', () => {
    const inherit_from = ['InfraEndpoint'];
    const source = sourceOf({
      generics: [node('Endpoint', {attributes: [text('speed')]})],
      nodes: [node('Port', {inherit_from, attributes: [text('speed', {optional: true})]})],
    });
    expect(attributeIn(source, 'InfraPort', 'speed').id).toBe(
      source.kinds.get('InfraEndpoint')?.attributes[0]?.id,
    );
  });
});

describe('renaming', () => {
  const network = {
    generics: [node('Endpoint', {attributes: [text('speed')], display_label: '{{ speed__value }}'})],
    nodes: [
      node('Site', {attributes: [text('name', {unique: true})]}),
      node('Port', {inherit_from: ['InfraEndpoint'], order_by: ['speed__value']}),
      node('Device', {
        attributes: [
          text('name'),
          text('title', {
            read_only: true,
            computed_attribute: {
              kind: 'Jinja2',
              jinja2_template: '{{ name__value }} at {{ site__name__value }}',
            },
          }),
        ],
        human_friendly_id: ['site__name__value', 'name__value'],
        uniqueness_constraints: [['site', 'name__value']],
        relationships: [{name: 'site', peer: 'InfraSite', cardinality: 'one', optional: false}],
      }),
    ],
  };
  const source = sourceOf(network);

  test('a kind is renamed wherever it is named, and keeps its edges', () => {
    const {id} = kindIn(source, 'InfraSite');
    const renamed = applyDocument(source, documentOf({nodes: [node('Place', {id})]})).source;
    expect(renamed.kinds.has('InfraSite')).toBe(false);
    expect(kindIn(renamed, 'InfraPlace').id).toBe(id);
    expect(kindIn(renamed, 'InfraDevice').relationships).toMatchObject([
      {peer: 'InfraPlace', identifier: 'infradevice__infrasite'},
    ]);
  });

  test('a generic is renamed in inherit_from', () => {
    const {id} = must(source.kinds.get('InfraEndpoint'), 'generic');
    const renamed = applyDocument(source, documentOf({generics: [node('Socket', {id})]})).source;
    expect(kindIn(renamed, 'InfraPort').inherit_from).toEqual(['InfraSocket']);
  });

  test('two kinds may trade names', () => {
    const swap = {
      nodes: [
        node('Port', {id: kindIn(source, 'InfraSite').id}),
        node('Site', {id: kindIn(source, 'InfraPort').id, inherit_from: ['InfraEndpoint']}),
      ],
    };
    const swapped = applyDocument(source, documentOf(swap));
    expect(swapped.problems).toEqual([]);
    expect(kindIn(swapped.source, 'InfraSite').id).toBe(kindIn(source, 'InfraPort').id);
    expect(kindIn(swapped.source, 'InfraDevice').relationships[0]?.peer).toBe('InfraPort');
  });

  test('a taken name is refused', () => {
    const {id} = kindIn(source, 'InfraSite');
    const applied = applyDocument(source, documentOf({nodes: [node('Device', {id})]}));
    expect(applied.problems.map(({path}) => path)).toContain('InfraDevice.name');
    const field = attributeIn(source, 'InfraDevice', 'name').id;
    const taken = applyDocument(source, documentOf(device([text('title', {id: field})])));
    expect(taken.problems.map(({path}) => path)).toContain('InfraDevice.title.name');
  });

  test('a field is renamed in every path and template that leads to it', () => {
    const {id} = attributeIn(source, 'InfraSite', 'name');
    const entry = node('Site', {attributes: [text('code', {id, unique: true})]});
    const renamed = applyDocument(source, documentOf({nodes: [entry]})).source;
    expect(kindIn(renamed, 'InfraDevice').human_friendly_id).toEqual(['site__code__value', 'name__value']);
    expect(attributeIn(renamed, 'InfraDevice', 'title').computed_attribute).toEqual({
      kind: 'Jinja2',
      jinja2_template: '{{ name__value }} at {{ site__code__value }}',
    });
  });

  test('a field of a generic is renamed on its heirs', () => {
    const id = must(source.kinds.get('InfraEndpoint')?.attributes[0]?.id, 'id');
    const entry = node('Endpoint', {attributes: [text('rate', {id})]});
    const renamed = applyDocument(source, documentOf({generics: [entry]})).source;
    expect(kindIn(renamed, 'InfraPort').order_by).toEqual(['rate__value']);
    expect(renamed.kinds.get('InfraEndpoint')?.display_label).toBe('{{ rate__value }}');
  });

  test('an inherited field is not renamed on the node', () => {
    const id = source.kinds.get('InfraEndpoint')?.attributes[0]?.id;
    const entry = node('Port', {inherit_from: ['InfraEndpoint'], attributes: [text('rate', {id})]});
    const applied = applyDocument(source, documentOf({nodes: [entry]}));
    expect(applied.problems.map(({path}) => path)).toEqual(['InfraPort.rate.id']);
  });

  test('an id that nobody has is refused for a new element, and ignored for a known one', () => {
    expect(refusedPaths(device([text('name', {id: 'unknown'})]))).toEqual(['InfraDevice.name.id']);
    expect(refusedPaths(device([], {id: 'unknown'}))).toEqual(['InfraDevice.id']);
    expect(
      refusedPaths(device([text('name')]), device([text('name', {id: 'unknown'})], {id: 'other'})),
    ).toEqual([]);
  });
});

describe('attributes that joined late', () => {
  const late = (source: SchemaSource, kind = 'InfraDevice') => kindIn(source, kind).late;

  test('are those added after the birth of the kind, with the default of that time', () => {
    const source = sourceOf(
      device([text('name')]),
      device([text('role', {optional: true}), {name: 'height', kind: 'Number', default_value: 4}]),
    );
    expect(late(source)).toEqual({
      [attributeIn(source, 'InfraDevice', 'role').id]: null,
      [attributeIn(source, 'InfraDevice', 'height').id]: 4,
    });
  });

  test('keep that value when the default changes', () => {
    const height = (default_value: number) => device([{name: 'height', kind: 'Number', default_value}]);
    const source = sourceOf(device(), height(4), height(8));
    expect(Object.values(late(source))).toEqual([4]);
  });

  test('show the default in stored form', () => {
    const source = sourceOf(device(), device([{name: 'address', kind: 'IPHost', default_value: '10.0.0.1'}]));
    expect(Object.values(late(source))).toEqual(['10.0.0.1/32']);
  });

  test('may come from a generic', () => {
    const inherits = {
      generics: [node('Endpoint')],
      nodes: [node('Device', {inherit_from: ['InfraEndpoint']})],
    };
    const added = {generics: [node('Endpoint', {attributes: [text('speed', {default_value: 'slow'})]})]};
    expect(Object.values(late(sourceOf(inherits, added)))).toEqual(['slow']);
    const joins = device([], {inherit_from: ['InfraEndpoint']});
    expect(Object.values(late(sourceOf({...device(), ...added}, joins)))).toEqual(['slow']);
  });

  test('show what a change of kind makes of their value', () => {
    const height = (rest: object) => device([{name: 'height', ...rest}]);
    const first = sourceOf(device(), height({kind: 'Text', default_value: '4'}));
    const {id} = attributeIn(first, 'InfraDevice', 'height');
    const turned = (rest: object) => applyDocument(first, documentOf(height(rest))).source;
    expect(late(turned({kind: 'Number', default_value: 8}))).toEqual({[id]: 4});
    expect(late(turned({kind: 'Boolean', default_value: true}))).toEqual({[id]: null});
  });

  test('are forgotten when they leave', () => {
    const source = sourceOf(device(), device([text('role')]), device([{name: 'role', state: 'absent'}]));
    expect(late(source)).toEqual({});
  });

  test('do not change when a generic that has the same attribute moves to the front', () => {
    const generic = (name: string) => node(name, {attributes: [text('speed')]});
    const root = {
      generics: [generic('One'), generic('Two')],
      nodes: [node('Device', {inherit_from: ['InfraOne', 'InfraTwo']})],
    };
    expect(late(sourceOf(root, device([], {inherit_from: ['InfraTwo', 'InfraOne']})))).toEqual({});
  });
});

test('nothing of a user changes the built-in kinds by accident', () => {
  const source = sourceOf(device([text('name')]));
  for (const [name, kind] of builtinSource().kinds) expect(source.kinds.get(name)).toBe(kind);
});
