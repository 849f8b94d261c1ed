import type {AttributeWrites, EdgeEnd} from '../../src/domain/graph/node.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import type {Condition, NodeQuery} from '../../src/domain/query/node-query.ts';
import type {GraphStore, KindRecord, NewNode} from '../../src/ports/graph-store.ts';
import {chosen, MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import {pick, scatter} from './scatter.ts';

/** One object with its edges, all of them to objects made before it. */
export interface Step {
  readonly node: NewNode;
  readonly edges: readonly EdgeEnd[];
}

export type Follow = readonly [kind: string, relationship: string];

/** Objects by number: the same number gives the same object on every machine. */
export interface DataSet {
  readonly name: string;
  readonly description: string;
  readonly kinds: readonly KindRecord[];
  /** The kind that is counted; a tenth of all objects. */
  readonly counted: string;
  /** Pages of 50, by an indexed value in the kind's default order. */
  readonly lists: readonly NodeQuery[];
  /** Each of the 50 with its one parent, and that with ten children. */
  readonly nested: readonly NodeQuery[];
  /** The relationships that `nested` follows, each on a kind that has it. */
  readonly nestedPath: readonly [parent: Follow, children: Follow];
  /** Object `index`. From `size` on, one that a set of `size` objects does not have. */
  step(index: number, size: number): Step;
  /** One more object, tied to three that a set of `size` has. */
  extra(serial: number, size: number): Step;
  /** The number of an object that few others point at. */
  leaf(serial: number, size: number): number;
}

export const STATUSES = ['active', 'planned', 'maintenance', 'drained', 'retired'] as const;
const WORDS = ['spine', 'leaf', 'edge', 'core', 'access', 'border', 'lab', 'metro'] as const;

export const ROLES: readonly string[] = Array.from(
  {length: 20},
  (_, place) => `role-${String(place).padStart(2, '0')}`,
);

/** Distinct names in no order. */
export const nameOf = (index: number): string =>
  `${pick(WORDS, index, 1)}-${scatter(index, 2).toString(36).padStart(7, '0')}`;

export const sentence = (index: number, salt: number): string =>
  Array.from({length: 6}, (_, place) => pick(WORDS, index * 8 + place, salt)).join(' ');

const FIRST_MILLIS = Date.UTC(2026, 0, 1);

/** Time-ordered, as those that the service gives. */
export function idOf(index: number): NodeId {
  const time = (FIRST_MILLIS + index).toString(16).padStart(12, '0');
  const tail =
    scatter(index, 3).toString(16).padStart(8, '0') + scatter(index, 4).toString(16).padStart(8, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${tail.slice(0, 3)}-8${tail.slice(3, 6)}-${tail.slice(6).padEnd(12, '0')}` as NodeId;
}

/** What an update writes: an indexed value and a plain one, others each round. */
export const changeOf = (index: number, round: number): AttributeWrites =>
  chosen({
    status: STATUSES[(scatter(index, 5) + round) % STATUSES.length]!,
    description: `${sentence(index, 6)}, revision ${round}`,
  });

export const isValue = (attribute: string, value: string): Condition => ({
  is: 'attribute',
  attribute,
  property: 'value',
  test: {op: 'in', values: [value]},
});

/** Objects whose edges are added together. */
const STEPS_AHEAD = 1_000;

/** One commit with all the steps. */
export async function writeSteps(
  store: GraphStore,
  steps: Iterable<Step>,
  branch: typeof MAIN = MAIN,
): Promise<number> {
  const all = [...steps];
  const {commit} = await store.write(branch, SERVICE, async draft => {
    for (let from = 0; from < all.length; from += STEPS_AHEAD) {
      const some = all.slice(from, from + STEPS_AHEAD);
      for (const {node} of some) await draft.create(node);
      await draft.linkAll(some.flatMap(({edges}) => edges.map(end => ({end}))));
    }
  });
  if (commit === undefined) throw new Error('nothing was written');
  return commit;
}
