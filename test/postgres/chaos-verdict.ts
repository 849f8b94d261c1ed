import {setTimeout as wait} from 'node:timers/promises';
import {ADMIN_KEY, ask, FIRST_VALUE, type Journal, REGISTER} from './chaos-client.ts';
import {registerProblems} from './linear-register.ts';
import {insertProblems} from './unique-inserts.ts';

const PAGE = 500;
const SETTLE_MILLIS_MAX = 90_000;
const OPEN_STATES = 'SCHEDULED, PENDING, RUNNING, CANCELLING';

// biome-ignore lint/suspicious/noExplicitAny: answers have every shape.
type Loose = any;

async function data(address: string, query: string): Promise<Loose> {
  const answer = await ask(address, query);
  if (answer.is !== 'done') throw new Error(`${query}: ${JSON.stringify(answer)}`);
  return answer.data;
}

/** What is wrong in the end with what the clients were told; nothing when every promise was kept. */
export async function finalProblems(address: string, journal: Journal): Promise<readonly string[]> {
  const problems = [...journal.surprises];
  await tasksEnd(address, problems);
  const verified = await fetch(`${address}/api/operations/verify`, {
    method: 'POST',
    headers: {'x-service-key': ADMIN_KEY},
  });
  problems.push(...((await verified.json()) as {problems: string[]}).problems);
  const tags = await allTags(address);
  const holders = new Map([...tags].filter(([name]) => /^v\d+$/.test(name)));
  problems.push(...insertProblems(journal.inserts, holders));
  problems.push(...registerProblems(FIRST_VALUE, [...journal.register, lastRead(tags)]));
  problems.push(...(await taskProblems(address, journal, tags)));
  return problems;
}

async function tasksEnd(address: string, problems: string[]): Promise<void> {
  const until = performance.now() + SETTLE_MILLIS_MAX;
  for (;;) {
    const {ServiceTask} = await data(
      address,
      `{ ServiceTask(state: [${OPEN_STATES}]) { count edges { node { id title state error } } } }`,
    );
    if (ServiceTask.count === 0) return;
    if (performance.now() > until) {
      problems.push(`tasks never end: ${JSON.stringify(ServiceTask.edges)}`);
      return;
    }
    await wait(50);
  }
}

/** The names of all objects, with what is written in each. */
async function allTags(address: string): Promise<ReadonlyMap<string, string>> {
  const tags = new Map<string, string>();
  for (let offset = 0; ; offset += PAGE) {
    const query = `{ BuiltinTag(limit: ${PAGE}, offset: ${offset}) { edges { node { name { value } description { value } } } } }`;
    const {edges} = (await data(address, query)).BuiltinTag;
    for (const {node} of edges) tags.set(node.name.value, node.description.value);
    if (edges.length < PAGE) return tags;
  }
}

const lastRead = (tags: ReadonlyMap<string, string>) => {
  const now = performance.now();
  return {is: 'read', value: tags.get(REGISTER)!, began: now, ended: now} as const;
};

/** Every acknowledged task has done its work, and done it once. */
async function taskProblems(
  address: string,
  {tasks, onBranches}: Journal,
  tags: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const created = await branchEvents(address, 'service.branch.created');
  const merged = await branchEvents(address, 'service.branch.merged');
  for (const {id, branch, does} of tasks) {
    const {ServiceTask} = await data(
      address,
      `{ ServiceTask(ids: ["${id}"]) { edges { node { state error attempts } } } }`,
    );
    const task = ServiceTask.edges[0]?.node;
    if (task?.state !== 'COMPLETED') {
      problems.push(`the task ${id} to ${does} ${branch} was acknowledged and is ${JSON.stringify(task)}`);
    }
    const times = (does === 'create' ? created : merged).get(branch) ?? 0;
    // A branch on which nothing is known to have been written may have had nothing to merge.
    const mayBeEmpty = does === 'merge' && !onBranches.some(each => each.branch === branch);
    if (times !== 1 && !(mayBeEmpty && times === 0)) {
      problems.push(`the task to ${does} ${branch} was done ${times} times`);
    }
  }
  for (const [branch, times] of [...created, ...merged]) {
    if (times > 1) problems.push(`${branch} was made or merged ${times} times`);
  }
  const isMerged = new Set(tasks.flatMap(({branch, does}) => (does === 'merge' ? [branch] : [])));
  for (const {branch, name} of onBranches) {
    if (isMerged.has(branch) && !tags.has(name))
      problems.push(`${name} was acknowledged, merged, and is lost`);
  }
  return problems;
}

/** How often it happened to each branch. */
async function branchEvents(address: string, type: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let after = ''; ; ) {
    const place = after === '' ? '' : `after: "${after}", `;
    const query = `{ ServiceEvent(first: 100, ${place}event_types: ["${type}"], oldest_first: true) {
      edges { node { payload } } pageInfo { hasNextPage endCursor } } }`;
    const {edges, pageInfo} = (await data(address, query)).ServiceEvent;
    for (const {node} of edges) {
      const {branch_name: name} = node.payload;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    if (pageInfo.hasNextPage !== true) return counts;
    after = pageInfo.endCursor;
  }
}
