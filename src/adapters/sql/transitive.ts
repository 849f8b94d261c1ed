import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Condition} from '../../domain/query/node-query.ts';
import {conditionWeight} from './condition-weight.ts';
import type {KindLayout} from './layout.ts';
import {levelsOf} from './lineage.ts';
import type {Placing} from './page-slice.ts';
import {WHOLE} from './page-slice.ts';
import type {Selection} from './selection.ts';
import {conjuncts} from './selection.ts';
import type {Work} from './statement.ts';
import {read} from './statement.ts';

/** What can find the objects of a kind. */
export interface Finding extends Placing {
  select(kind: KindLayout, conditions: readonly Condition[]): Work<Selection | undefined>;
}

/** A condition that names more tables than this is not written into one statement. */
const WEIGHT_MAX = 300;

/**
 * Replaces each condition that follows a relationship over several steps by the objects that meet it: from the
 * objects at the far end back, step by step, each object once, so that a circle ends. A condition on related
 * objects that is too large for one statement is replaced in the same way.
 */
export function* withoutTransitive(
  finding: Finding,
  subjects: readonly KindLayout[],
  condition: Condition,
): Work<Condition> {
  if (condition.is === 'all' || condition.is === 'any') {
    const of: Condition[] = [];
    for (const item of condition.of) of.push(yield* withoutTransitive(finding, subjects, item));
    return {is: condition.is, of};
  }
  if (condition.is === 'not')
    return {is: 'not', of: yield* withoutTransitive(finding, subjects, condition.of)};
  if (condition.is !== 'related') return condition;
  const peers = peersOf(finding, subjects, condition.relationship);
  const where =
    condition.where === undefined ? undefined : yield* withoutTransitive(finding, peers, condition.where);
  const {relationship, transitive} = condition;
  if (transitive !== undefined) {
    return {is: 'id', in: yield* reaching(finding, subjects, relationship, transitive, where)};
  }
  const single: Condition = {is: 'related', relationship, ...(where === undefined ? {} : {where})};
  if (where === undefined || !isHeavy(finding, subjects, single)) return single;
  return {is: 'id', in: yield* reaching(finding, subjects, relationship, 'direct', where)};
}

function isHeavy({reader}: Finding, subjects: readonly KindLayout[], condition: Condition): boolean {
  const {layout, lineage} = reader;
  return subjects.some(kind => conditionWeight(condition, kind, layout, lineage) > WEIGHT_MAX);
}

function peersOf(
  finding: Finding,
  subjects: readonly KindLayout[],
  relationship: string,
): readonly KindLayout[] {
  const peers = new Set<KindLayout>();
  for (const kind of subjects) {
    const peer = kind.relationships.get(relationship)?.shape.peer;
    if (peer === undefined) continue;
    for (const member of finding.reader.layout.members(peer)) peers.add(member);
  }
  return [...peers];
}

/**
 * The objects from which one that meets the condition is reached in at most so many steps. Over several steps an
 * object does not reach itself; as a direct neighbour it may.
 */
function* reaching(
  finding: Finding,
  subjects: readonly KindLayout[],
  relationship: string,
  steps: number | 'direct',
  where: Condition | undefined,
): Work<readonly NodeId[]> {
  const {reader} = finding;
  const codes = new Map<number, 'aware' | 'agnostic' | 'local'>();
  const peers = peersOf(finding, subjects, relationship);
  const kinds = steps === 'direct' ? subjects : [...subjects, ...peers];
  for (const kind of kinds) {
    const layout = kind.relationships.get(relationship);
    if (layout !== undefined) codes.set(layout.inverse, layout.shape.scope);
  }
  let frontier = new Map<number, ReadonlySet<number>>();
  for (const kind of peersOf(finding, kinds, relationship)) {
    const selection = yield* finding.select(kind, conjuncts(where));
    if (selection === undefined) continue;
    for (const {serial} of yield* finding.placed(selection, WHOLE)) frontier.set(serial, new Set([serial]));
  }
  const reached = new Map<number, Set<number>>();
  const stepsMax = steps === 'direct' ? 1 : steps;
  for (let step = 0; step < stepsMax && frontier.size > 0; step += 1) {
    const next = new Map<number, Set<number>>();
    for (const [code, scope] of codes) {
      for (const edge of yield* reader.edges([...frontier.keys()], code, levelsOf(reader.lineage, scope))) {
        for (const end of frontier.get(edge.source) ?? []) arrive(reached, next, edge.target, end);
      }
    }
    frontier = next;
  }
  const serials = [...reached]
    .filter(([serial, ends]) => steps === 'direct' || ends.size > 1 || !ends.has(serial))
    .map(([serial]) => serial);
  const sql = `SELECT n.uuid FROM ${reader.dialect.integers('?1')} p CROSS JOIN node n WHERE n.id = p.value`;
  return (yield read(sql, [JSON.stringify(serials)])).map(row => row[0] as NodeId);
}

/**
 * Notes that `node` reaches `end`. Two ends are enough to know that a node reaches another object than itself,
 * so no more are kept, and a circle ends.
 */
function arrive(
  reached: Map<number, Set<number>>,
  next: Map<number, Set<number>>,
  node: number,
  end: number,
): void {
  const ends = reached.get(node) ?? new Set();
  if (ends.has(end) || ends.size > 1) return;
  reached.set(node, ends.add(end));
  next.set(node, (next.get(node) ?? new Set()).add(end));
}
