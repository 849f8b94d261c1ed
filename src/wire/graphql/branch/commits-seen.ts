import {viewOf} from '../../../domain/access/view.ts';
import type {BranchName} from '../../../domain/branch/branch.ts';
import {type EventPlace, placeAfter} from '../../../domain/event/event-place.ts';
import type {GraphEvent} from '../../../domain/event/graph-event.ts';
import type {Instant} from '../../../domain/time/instant.ts';
import type {CommitRecord, CommitsRequest} from '../../../ports/graph-store.ts';
import type {FieldContext} from '../engine.ts';
import {seenBy} from '../event/event-query.ts';

const COMMITS_PER_STEP = 200;

/**
 * The commits in which there is something for the caller to see, newest first. Of each they are told how much of what
 * they may view it touched.
 */
export async function commitsSeen(
  context: FieldContext,
  request: CommitsRequest,
): Promise<readonly CommitRecord[]> {
  const {store} = context.services;
  if (seesAll(context, request.branch)) return store.commits(request);
  const seen: CommitRecord[] = [];
  let until = request.until;
  for (;;) {
    const step = {...request, limit: COMMITS_PER_STEP, ...(until === undefined ? {} : {until})};
    const commits = await store.commits(step);
    for (const commit of commits) {
      const told = await seenOf(context, commit);
      if (told !== undefined) seen.push(told);
      if (seen.length >= request.limit) return seen;
    }
    const last = commits.at(-1);
    if (last === undefined || commits.length < COMMITS_PER_STEP) return seen;
    until = (last.instant - 1) as Instant;
  }
}

/** Whether nothing of the branches is hidden from the caller. */
export function seesAll(
  {services, caller, schema}: FieldContext,
  ...branches: readonly BranchName[]
): boolean {
  const {defaultBranch} = services.store;
  return branches.every(branch => viewOf(caller.access, schema, branch === defaultBranch).isWhole);
}

async function seenOf(context: FieldContext, commit: CommitRecord): Promise<CommitRecord | undefined> {
  const {branch, instant} = commit;
  const nodes = new Set<string>();
  const pairs = new Map<string, number>();
  let isSeen = false;
  let author = null;
  let from: EventPlace = placeAfter((instant - 1) as Instant);
  for (;;) {
    const read = await context.services.events.events({from, until: instant, filter: {branch}});
    for (const event of read.events) {
      const shown = event.branch === branch ? seenBy(event, context) : undefined;
      if (shown === undefined) continue;
      isSeen = true;
      author = shown.account;
      count(shown, nodes, pairs);
    }
    if (read.isEnd) break;
    from = read.reached;
  }
  if (!isSeen) return undefined;
  const edgesTouched = [...pairs.values()].reduce((sum, each) => sum + each, 0);
  return {...commit, author, nodesTouched: nodes.size, edgesTouched};
}

/** Both ends tell of an edge; where only one may, that counts too. */
function count({nodeId, type, detail}: GraphEvent, nodes: Set<string>, pairs: Map<string, number>): void {
  if (detail.is !== 'node' || nodeId === null) return;
  if (type !== 'service.node.updated' || detail.attributes.length > 0) nodes.add(nodeId);
  const own = new Map<string, number>();
  for (const {peer} of detail.edges) {
    const pair = nodeId < peer ? `${nodeId} ${peer}` : `${peer} ${nodeId}`;
    own.set(pair, (own.get(pair) ?? 0) + 1);
  }
  for (const [pair, edges] of own) pairs.set(pair, Math.max(pairs.get(pair) ?? 0, edges));
}
