import type {CommitPlan, Step} from './steps.ts';

type Fails = (steps: readonly Step[]) => Promise<boolean>;

/**
 * The history without everything that it fails without: whole steps first, in ever smaller runs, then the parts of
 * those that are left. Thousands of tries become dozens, which matters where each lives through a database.
 */
export async function shrunk(steps: readonly Step[], fails: Fails): Promise<readonly Step[]> {
  let current = steps;
  for (let size = steps.length >> 1; size > 0; size >>= 1) {
    for (let start = 0; start < current.length; ) {
      const shorter = current.toSpliced(start, size);
      if (await fails(shorter)) current = shorter;
      else start += size;
    }
  }
  for (let index = 0; index < current.length; index++) {
    for (;;) {
      const simpler = await firstThat(simplerSteps(current[index]!), step =>
        fails(current.with(index, step)),
      );
      if (simpler === undefined) break;
      current = current.with(index, simpler);
    }
  }
  return current;
}

async function firstThat(
  steps: Iterable<Step>,
  holds: (step: Step) => Promise<boolean>,
): Promise<Step | undefined> {
  for (const step of steps) if (await holds(step)) return step;
  return undefined;
}

function* simplerSteps(step: Step): Iterable<Step> {
  if (step.step === 'commit') {
    for (const commit of simplerCommits(step.commit)) yield {...step, commit};
  }
  if (step.step === 'together') {
    for (const commit of step.commits) yield {step: 'commit', commit};
    for (const index of step.commits.keys()) {
      if (step.commits.length > 1) yield {...step, commits: step.commits.toSpliced(index, 1)};
      for (const commit of simplerCommits(step.commits[index]!))
        yield {...step, commits: step.commits.with(index, commit)};
    }
  }
  if (step.step === 'ask') {
    const {query} = step;
    for (const key of ['where', 'order', 'page', 'count', 'nodes', 'pagesOf'] as const) {
      if (query[key] !== undefined) yield {...step, query: {...query, [key]: undefined}};
    }
    for (const index of query.include?.keys() ?? []) {
      yield {...step, query: {...query, include: query.include!.toSpliced(index, 1)}};
    }
  }
}

function* simplerCommits(commit: CommitPlan): Iterable<CommitPlan> {
  const {operations} = commit;
  for (const index of operations.keys()) {
    if (operations.length > 1) yield {...commit, operations: operations.toSpliced(index, 1)};
    const operation = operations[index]!;
    if (operation.op === 'create' && operation.peers.length > 0) {
      yield {...commit, operations: operations.with(index, {...operation, peers: operation.peers.slice(1)})};
    }
    if (operation.op === 'create' && operation.values.length > 1) {
      yield {
        ...commit,
        operations: operations.with(index, {...operation, values: operation.values.slice(0, -1)}),
      };
    }
    if (operation.op === 'update' && operation.writes.length > 1) {
      for (const write of operation.writes) {
        yield {...commit, operations: operations.with(index, {...operation, writes: [write]})};
      }
    }
  }
}
