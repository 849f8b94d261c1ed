import {constraintViolation} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {violatedFields} from '../../domain/node/field-problem.ts';
import {hierarchyDepthMax} from '../../domain/node/limits.ts';
import {peerCountProblem, peersMax, peersMin} from '../../domain/node/peer-count.ts';
import {checkCommon, isInCommon} from './check-common.ts';
import type {NodeWork, TouchedEnd} from './node-work.ts';

/** Refuses edges that are too many or too few at either of their ends, once all edges of the verb are in place. */
export async function checkCounts(work: NodeWork): Promise<void> {
  for (const end of work.ends.values()) {
    if (end.mustCount && !work.deleted.has(end.node)) await checkCount(work, end);
  }
}

/** Refuses edges that break a rule which looks further than one edge. */
export async function checkPaths(work: NodeWork): Promise<void> {
  for (const end of work.ends.values()) {
    if (work.deleted.has(end.node)) continue;
    if (isUpward(end) && !isNewLeaf(work, end.node)) await refuseCircle(work, end);
    if (isInCommon(work.facts.kind(end.kind))) await checkCommon(work, end);
  }
}

async function checkCount(work: NodeWork, end: TouchedEnd): Promise<void> {
  const {node, kind, relationship, gained, lost} = end;
  const [min, max] = [peersMin(relationship), peersMax(relationship)];
  if (!(gained && max > 0) && !(lost && min > 0)) return;
  const {length: count} = await work.draft.neighbours(node, relationship.name);
  const problem = peerCountProblem(relationship, count);
  if (problem === undefined) return;
  const bound = max > 0 && count > max ? `maximum of ${max} allowed` : `minimum of ${min} required`;
  const {name, identifier} = relationship;
  throw constraintViolation(`Node ${node} has ${count} peers for ${identifier}, ${bound}`, {
    kind,
    id: node,
    fields: [{field: `${kind}.${name}`, message: problem}],
  });
}

const isUpward = ({relationship, gained}: TouchedEnd): boolean =>
  gained && relationship.kind === 'Hierarchy' && relationship.direction === 'outbound';

/** Nothing stands below an object just made, unless it was given children. */
const isNewLeaf = (work: NodeWork, node: NodeId): boolean =>
  work.made.has(node) && !work.ends.has(`${node} children`);

async function refuseCircle(work: NodeWork, {node, kind, relationship}: TouchedEnd): Promise<void> {
  const field = relationship.name;
  let above: NodeId | undefined = node;
  for (let depth = 0; depth < hierarchyDepthMax; depth += 1) {
    above = (await work.draft.neighbours(above, field))[0]?.id;
    if (above === undefined) return;
    if (above === node) throw violatedFields(kind, [{field, message: `${node} would stand above itself`}]);
  }
  const message = `A hierarchy may be at most ${hierarchyDepthMax} levels deep`;
  throw violatedFields(kind, [{field, message}]);
}
