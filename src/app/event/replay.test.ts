import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {BranchName} from '../../domain/branch/branch.ts';
import type {EventPlace} from '../../domain/event/event-place.ts';
import type {GraphEvent} from '../../domain/event/graph-event.ts';
import type {EventLog} from '../../ports/event-log.ts';
import {type BranchWorld, MAIN, openBranchWorld} from '../branch/branch-fixtures.ts';
import {SMALL_NETWORK, type Step, steps, work} from '../branch/random-work-fixtures.ts';

const KINDS = ['InfraSite', 'InfraDevice', 'InfraPort'];

/** What somebody knows of a branch who has only listened: values and peers of each object. */
type Heard = Map<string, Map<string, string>>;

function hear(heard: Heard, {type, nodeId, kind, detail}: GraphEvent): void {
  if (detail.is !== 'node' || !KINDS.includes(kind!)) return;
  if (type === 'service.node.deleted') {
    expect(heard.delete(nodeId!), `${nodeId} was there`).toBe(true);
    return;
  }
  expect(heard.has(nodeId!), `${type} ${nodeId}`).toBe(type === 'service.node.updated');
  const object = heard.get(nodeId!) ?? new Map<string, string>();
  heard.set(nodeId!, object);
  const put = (key: string, value: string | null) => {
    if (value === null) object.delete(key);
    else object.set(key, value);
  };
  for (const {name, after} of detail.attributes) put(name, (after?.value ?? null) as string | null);
  for (const {relationship, peer, after} of detail.edges)
    put(`${relationship} ${peer}`, after ? 'peer' : null);
}

async function events(log: EventLog): Promise<readonly GraphEvent[]> {
  const all: GraphEvent[] = [];
  let from: EventPlace | undefined;
  for (;;) {
    const read = await log.events(from === undefined ? {} : {from});
    all.push(...read.events);
    if (read.isEnd) return all;
    from = read.reached;
  }
}

async function replayed(
  world: BranchWorld,
  origins: ReadonlyMap<string, string>,
): Promise<Map<string, Heard>> {
  const branches = new Map<string, Heard>([[MAIN, new Map()]]);
  for (const event of await events((world.store as unknown as {events: EventLog}).events)) {
    if (event.type === 'service.branch.created') {
      const origin = branches.get(origins.get(event.branch)!)!;
      const copy = [...origin].map(([id, object]) => [id, new Map(object)] as const);
      branches.set(event.branch, new Map(copy));
    }
    hear(branches.get(event.branch)!, event);
  }
  return branches;
}

async function standing(world: BranchWorld, branch: BranchName): Promise<Heard> {
  const snapshot = await world.store.snapshot({branch});
  const all: Heard = new Map();
  for (const kind of KINDS) {
    const shape = snapshot.kind(kind)!;
    for (const {node} of (await snapshot.query({kind})).found) {
      const object = new Map<string, string>();
      for (const {name} of shape.attributes) {
        const value = node.value(name);
        if (value !== null) object.set(name, value as string);
      }
      for (const {name} of shape.relationships) {
        for (const peer of await snapshot.neighbours(node.id, name)) object.set(`${name} ${peer.id}`, 'peer');
      }
      all.set(node.id, object);
    }
  }
  return all;
}

const plain = (heard: Heard) =>
  Object.fromEntries([...heard].sort().map(([id, object]) => [id, Object.fromEntries([...object].sort())]));

type Act =
  | {readonly is: 'work'; readonly on: number; readonly steps: readonly Step[]}
  | {readonly is: 'branch' | 'merge' | 'rebase'; readonly on: number};

const act: fc.Arbitrary<Act> = fc.oneof(
  {weight: 4, arbitrary: fc.record({is: fc.constant('work' as const), on: fc.nat(5), steps: steps(5)})},
  {weight: 3, arbitrary: fc.record({is: fc.constantFrom('branch', 'merge', 'rebase'), on: fc.nat(5)})},
);

test('whoever only listens knows every branch as it stands, through merges and rebases', async () => {
  await fc.assert(
    fc.asyncProperty(steps(10), fc.array(act, {maxLength: 12}), async (first, acts) => {
      const world = await openBranchWorld(SMALL_NETWORK);
      const names: BranchName[] = [MAIN];
      const origins = new Map<string, string>();
      await work(world, MAIN, first);
      for (const [index, each] of acts.entries()) {
        const on = names[each.on % names.length]!;
        if (each.is === 'work') await work(world, on, each.steps, `p${index}-`);
        else if (each.is === 'branch') {
          origins.set(`b${index}-x`, on);
          names.push(await world.branch(`b${index}-x`, on));
        } else if (on !== MAIN) await world[each.is](on);
      }
      const heard = await replayed(world, origins);
      for (const name of names) {
        expect(plain(heard.get(name)!), name).toEqual(plain(await standing(world, name)));
      }
      await world.close();
    }),
    {numRuns: 12},
  );
}, 300_000);
