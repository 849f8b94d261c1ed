import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {canonicalJson} from '../../base/json.ts';
import {layDocument} from './apply/lay-document.ts';
import {definitionFromJson, definitionToJson} from './definition-json.ts';
import {effectiveAttributes} from './lookup-definitions.ts';
import {mergeSources} from './merge/merge-sources.ts';
import {deriveSchema} from './process/process-schema.ts';
import type {NodeDefinition, SchemaSource} from './source.ts';
import {documentOf, type Root, sourceOf} from './test-support/load.ts';

/*
 * Random schema evolution over a few kinds and fields, so that steps meet: fields are added, changed,
 * renamed, removed and added again, on nodes and on their generic.
 */
const KINDS = ['Alpha', 'Beta'] as const;
const FIELDS = ['aaa', 'bbb', 'ccc'] as const;

const attribute = fc.record(
  {
    kind: fc.constantFrom('Text', 'Number', 'Dropdown'),
    optional: fc.boolean(),
    label: fc.constantFrom('One', 'Two'),
    order_weight: fc.constantFrom(1, 2),
  },
  {requiredKeys: ['kind']},
);

type Step =
  | {
      readonly is: 'put';
      readonly kind: string;
      readonly field: string;
      readonly attribute: {readonly kind: string};
    }
  | {readonly is: 'inherit'; readonly kind: string; readonly inherits: boolean}
  | {readonly is: 'remove-field' | 'remove-kind'; readonly kind: string; readonly field: string}
  | {readonly is: 'rename'; readonly kind: string; readonly field: string; readonly to: string};

const where = {kind: fc.constantFrom(...KINDS, 'Base'), field: fc.constantFrom(...FIELDS)};
const step: fc.Arbitrary<Step> = fc.oneof(
  {weight: 6, arbitrary: fc.record({is: fc.constant('put' as const), ...where, attribute})},
  {
    weight: 2,
    arbitrary: fc.record({is: fc.constant('inherit' as const), kind: where.kind, inherits: fc.boolean()}),
  },
  {weight: 2, arbitrary: fc.record({is: fc.constant('remove-field' as const), ...where})},
  {weight: 1, arbitrary: fc.record({is: fc.constant('remove-kind' as const), ...where})},
  {weight: 2, arbitrary: fc.record({is: fc.constant('rename' as const), ...where, to: where.field})},
);
const steps = fc.array(step, {maxLength: 8});

const START: Root = {
  generics: [{namespace: 'Law', name: 'Base', attributes: [{name: 'shared', kind: 'Text'}]}],
  nodes: [{namespace: 'Law', name: 'Alpha', attributes: [{name: 'aaa', kind: 'Text'}]}],
};

/** The document of a step, seen from where the schema stands; undefined when the step has no meaning there. */
function rootOf(source: SchemaSource, taken: Step): Root | undefined {
  const name = taken.kind;
  const stored = source.kinds.get(`Law${name}`);
  const inherit_from = stored?.type === 'node' ? stored.inherit_from : [];
  const entry = (rest: object): Root => {
    const common = {namespace: 'Law', name, ...rest};
    return name === 'Base' ? {generics: [common]} : {nodes: [{inherit_from, ...common}]};
  };
  switch (taken.is) {
    case 'put': {
      const choices = taken.attribute.kind === 'Dropdown' ? [{name: taken.field}] : undefined;
      return entry({attributes: [{name: taken.field, choices, ...taken.attribute}]});
    }
    case 'inherit':
      if (name === 'Base' || !source.kinds.has('LawBase')) return undefined;
      return entry({inherit_from: taken.inherits ? ['LawBase'] : []});
    case 'remove-field':
      return stored === undefined ? undefined : entry({attributes: [{name: taken.field, state: 'absent'}]});
    case 'remove-kind':
      return entry({state: 'absent'});
    case 'rename': {
      const field = stored?.attributes.find(each => each.name === taken.field);
      if (field === undefined) return undefined;
      return entry({attributes: [{name: taken.to, id: field.id, kind: field.kind}]});
    }
  }
}

/** Takes the steps that are accepted, as a server would. */
function evolve(start: SchemaSource, taken: readonly Step[]): SchemaSource {
  return taken.reduce((source, each) => {
    const root = rootOf(source, each);
    const applied = root === undefined ? undefined : layDocument(source, documentOf(root));
    return applied === undefined || applied.problems.length > 0 ? source : applied.source;
  }, start);
}

const textOf = (source: SchemaSource): string =>
  canonicalJson({
    kinds: [...source.kinds.values()]
      .filter(kind => kind.namespace === 'Law')
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(definitionToJson),
    retired: source.retired,
  });

/** The same schema read back from storage: nothing is the same object. */
const copyOf = (source: SchemaSource): SchemaSource => ({
  kinds: new Map(
    [...source.kinds].map(([name, kind]) => [name, definitionFromJson(JSON.parse(JSON.stringify(kind)))]),
  ),
  retired: {...source.retired},
});

const start = sourceOf(START);

describe('loads', () => {
  test('loading a document twice is loading it once', () => {
    fc.assert(
      fc.property(steps, step, (taken, last) => {
        const source = evolve(start, taken);
        const root = rootOf(source, last);
        fc.pre(root !== undefined && last.is !== 'rename');
        const once = layDocument(source, documentOf(root)).source;
        expect(layDocument(once, documentOf(root)).source).toBe(once);
      }),
    );
  });

  test('the same steps lead to the same schema, ids and all', () => {
    fc.assert(
      fc.property(steps, taken => {
        expect(textOf(evolve(start, taken))).toBe(textOf(evolve(copyOf(start), taken)));
      }),
    );
  });

  test('the order of keys plays no part', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, item]) => [key, shuffled(item)]),
      );
    };
    fc.assert(
      fc.property(steps, step, (taken, last) => {
        const source = evolve(start, taken);
        const root = rootOf(source, last);
        fc.pre(root !== undefined);
        const [one, other] = [root, shuffled(root)].map(
          each => layDocument(source, documentOf(each as Root)).source,
        );
        expect(textOf(other as SchemaSource)).toBe(textOf(one as SchemaSource));
      }),
    );
  });

  test('within a kind every field has an id and a name of its own', () => {
    fc.assert(
      fc.property(steps, taken => {
        for (const node of deriveSchema(evolve(start, taken)).nodes.values()) {
          const fields = [...node.attributes, ...node.relationships];
          expect(new Set(fields.map(({id}) => id)).size).toBe(fields.length);
          expect(node.fields.size).toBe(fields.length);
        }
      }),
    );
  });

  test('an attribute is late unless its kind had it from birth and ever since', () => {
    fc.assert(
      fc.property(steps, taken => {
        const everSince = new Map<string, ReadonlySet<string>>();
        const check = (source: SchemaSource) => {
          for (const node of nodesOf(source)) {
            const ids = new Set(effectiveAttributes(source.kinds, node).map(({id}) => id));
            const before = everSince.get(node.id) ?? ids;
            everSince.set(node.id, new Set([...ids].filter(id => before.has(id))));
            expect(new Set(Object.keys(node.late))).toEqual(new Set([...ids].filter(id => !before.has(id))));
          }
        };
        check(start);
        taken.reduce((source, each) => {
          const next = evolve(source, [each]);
          check(next);
          return next;
        }, start);
      }),
    );
  });
});

const nodesOf = (source: SchemaSource): readonly NodeDefinition[] =>
  [...source.kinds.values()].filter(kind => kind.type === 'node');

describe('merges', () => {
  test('a side that did nothing changes nothing', () => {
    fc.assert(
      fc.property(steps, steps, (common, taken) => {
        const base = evolve(start, common);
        const changed = evolve(base, taken);
        for (const merged of [
          mergeSources(base, copyOf(changed), copyOf(base)),
          mergeSources(base, copyOf(base), copyOf(changed)),
          mergeSources(base, copyOf(changed), copyOf(changed)),
        ]) {
          expect(merged.conflicts).toEqual([]);
          expect(textOf(merged.source)).toBe(textOf(changed));
        }
      }),
    );
  });

  test('it does not matter whose side is whose', () => {
    fc.assert(
      fc.property(steps, steps, steps, (common, mine, others) => {
        const base = evolve(start, common);
        const [ours, theirs] = [evolve(base, mine), evolve(base, others)];
        const one = mergeSources(base, ours, theirs);
        const other = mergeSources(base, theirs, ours, () => 'theirs');
        const paths = (merged: typeof one) => merged.conflicts.map(({path}) => path).sort();
        expect(paths(other)).toEqual(paths(one));
        if (one.conflicts.length === 0) expect(textOf(other.source)).toBe(textOf(one.source));
      }),
    );
  });

  test('additions to different kinds always unite', () => {
    const put = (kind: string) =>
      fc.array(
        fc.record({is: fc.constant('put' as const), kind: fc.constant(kind), field: where.field, attribute}),
        {maxLength: 5},
      );
    fc.assert(
      fc.property(put('Alpha'), put('Beta'), (mine, others) => {
        const merged = mergeSources(start, evolve(start, mine), evolve(start, others));
        expect(merged.conflicts).toEqual([]);
        expect(textOf(merged.source)).toBe(textOf(evolve(evolve(start, mine), others)));
      }),
    );
  });
});
