import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {NodeChange} from '../../domain/diff/change.ts';
import {type AttributeState, type EdgeProperties, PLAIN_EDGE} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {packChanges, unpackChanges} from './change-codec.ts';

const id = fc.uuid() as fc.Arbitrary<NodeId>;
const instant = fc.constantFrom(1, 2, 1_794_744_046_881_071) as fc.Arbitrary<Instant>;
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, {nil: undefined});

const state: fc.Arbitrary<AttributeState> = fc.record({
  value: fc.jsonValue() as fc.Arbitrary<AttributeState['value']>,
  isDefault: fc.boolean(),
  isFromProfile: fc.boolean(),
  isProtected: fc.boolean(),
  isVisible: fc.boolean(),
  source: fc.option(id),
  owner: fc.option(id),
  updatedAt: instant,
});

const properties: fc.Arbitrary<EdgeProperties> = fc.oneof(
  fc.constant(PLAIN_EDGE),
  fc.record({
    isProtected: fc.boolean(),
    isVisible: fc.boolean(),
    source: fc.option(id),
    owner: fc.option(id),
  }),
);

const change: fc.Arbitrary<NodeChange> = fc.record({
  id,
  kind: fc.string(),
  action: fc.constantFrom('added', 'updated', 'removed'),
  attributes: fc.array(fc.record({name: fc.string(), before: maybe(state), after: maybe(state)}), {
    maxLength: 4,
  }),
  edges: fc.array(
    fc.record({relationship: fc.string(), peer: id, before: maybe(properties), after: maybe(properties)}),
    {maxLength: 3},
  ),
  changedAt: instant,
});

/** What JSON cannot tell apart is told apart nowhere. */
const plain = (changes: readonly NodeChange[]): unknown => JSON.parse(JSON.stringify(changes));

test('changes come out of their packing as they went in', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, {maxLength: 8}), async changes => {
      const packed = structuredClone(packChanges(changes));
      expect(plain(await unpackChanges(packed))).toEqual(plain(changes));
    }),
  );
});

test('a long list is read in pieces and stays in its order', async () => {
  const [one] = fc.sample(change, {numRuns: 1, seed: 1});
  const changes = Array.from({length: 1_001}, (_, place) => ({...one!, kind: `K${place}`}));
  const packed = packChanges(changes);
  expect(packed.texts.length).toBeGreaterThan(2);
  expect((await unpackChanges(packed)).map(({kind}) => kind)).toEqual(changes.map(({kind}) => kind));
});
