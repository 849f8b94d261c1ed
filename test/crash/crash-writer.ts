import {randomUUID} from 'node:crypto';
import process from 'node:process';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {openSqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import {must} from '../../src/base/assert.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import type {Draft, GraphStore} from '../../src/ports/graph-store.ts';
import {
  ALL_KINDS,
  branchName,
  chosen,
  DEVICE,
  MAIN,
  reshaped,
  SERVICE,
} from '../../src/ports/graph-store-fixtures.ts';
import type {MergeDraft, MergeStore} from '../../src/ports/merge-store.ts';
import type {Group} from './journal.ts';
import {Journal} from './journal.ts';
import {randomFrom} from './random.ts';

const WRITERS = 6;
const GROUP_SIZE = 3;
const ORDERS = [['name'], ['role', 'name'], ['position'], []];

/** One of several that write at once. Its groups and branches are its own, so it knows what must be there. */
class Writer {
  readonly #store: GraphStore & MergeStore;
  readonly #journal: Journal;
  readonly #random: (bound: number) => number;
  readonly #name: string;
  readonly #groups = new Map<BranchName, Group[]>([[MAIN, []]]);
  #count = 0;

  constructor(
    store: GraphStore & MergeStore,
    journal: Journal,
    random: (bound: number) => number,
    name: string,
  ) {
    this.#store = store;
    this.#journal = journal;
    this.#random = random;
    this.#name = name;
  }

  async writeForEver(): Promise<never> {
    for (;;) {
      this.#count += 1;
      await this.#step();
      process.stdout.write('.');
    }
  }

  #step(): Promise<void> {
    const branch = this.#pick([...this.#groups.keys()])!;
    const choice = this.#random(20);
    if (choice < 1) return this.#reshape();
    if (choice < 3) return this.#fork();
    if (choice < 4 && branch !== MAIN) return this.#deleteBranch(branch);
    const group = this.#pick(this.#groups.get(branch)!);
    if (group === undefined || choice < 9) return this.#create(branch);
    if (choice < 12 && branch === MAIN) return this.#merge(group);
    return choice < 17 ? this.#update(branch, group) : this.#delete(branch, group);
  }

  async #create(branch: BranchName): Promise<void> {
    const group = {name: `${this.#name}-${this.#count}`, devices: ids(GROUP_SIZE)};
    const tag = randomUUID() as NodeId;
    await this.#commit(branch, group, 'made', tag, async draft => {
      await draft.create({id: tag, kind: 'TestTag', attributes: chosen({name: group.name})});
      for (const [index, id] of group.devices.entries()) {
        const values = {name: `${group.name}/${index}`, role: 'leaf', status: 'made', position: index};
        await draft.create({id, kind: 'TestDevice', attributes: chosen(values)});
        await draft.link({node: id, relationship: 'tags', peer: tag});
      }
    });
    this.#groups.get(branch)!.push(group);
  }

  async #update(branch: BranchName, group: Group): Promise<void> {
    const status = `${this.#count}`;
    await this.#commit(branch, group, status, null, async draft => {
      for (const id of group.devices) {
        await draft.update(
          id,
          chosen({status, role: status.endsWith('1') ? 'leaf' : 'core', position: this.#count}),
        );
        for (const {id: peer} of await draft.neighbours(id, 'tags')) {
          await draft.unlink({node: id, relationship: 'tags', peer});
        }
      }
    });
  }

  /** A merge that lands in steps, with others between them. */
  async #merge(group: Group): Promise<void> {
    const [name, status] = [branchName(`${this.#name}-${this.#count}-merged`), `${this.#count}`];
    await this.#store.createBranch({name, origin: MAIN, description: '', syncWithGit: false}, SERVICE);
    const change = async (draft: Draft) => {
      for (const id of group.devices) await draft.update(id, chosen({status, position: this.#count}));
      for (const node of group.devices) {
        for (const {id: peer} of await draft.neighbours(node, 'tags'))
          await draft.unlink({node, relationship: 'tags', peer});
      }
    };
    await this.#store.write(name, SERVICE, change);
    const claim = () => ({branch: name, nodes: group.devices, peers: [], kinds: ['TestDevice']});
    const land = (draft: MergeDraft) =>
      draft.ahead(claim, async () => {
        await change(draft);
        await draft.settle(name);
      });
    const {commit} = await this.#store.combine(MAIN, SERVICE, land, group.devices.length);
    const at = must(commit, 'a commit');
    this.#journal.note({is: 'written', branch: MAIN, commit: at, group, status, tag: null});
    await this.#store.deleteBranch(name, SERVICE);
  }

  async #delete(branch: BranchName, group: Group): Promise<void> {
    await this.#commit(branch, group, null, null, async draft => {
      for (const id of group.devices) await draft.delete(id);
    });
    const groups = this.#groups.get(branch)!;
    groups.splice(groups.indexOf(group), 1);
  }

  async #commit(
    branch: BranchName,
    group: Group,
    status: string | null,
    tag: NodeId | null,
    body: (draft: Draft) => Promise<void>,
  ): Promise<void> {
    const {commit} = await this.#store.write(branch, SERVICE, body);
    this.#journal.note({is: 'written', branch, commit: must(commit, 'a commit'), group, status, tag});
  }

  async #fork(): Promise<void> {
    const origin = this.#pick([...this.#groups.keys()])!;
    const name = branchName(`${this.#name}-${this.#count}`);
    const request = {name, origin, description: '', syncWithGit: false};
    const {forkedAt} = await this.#store.createBranch(request, SERVICE);
    this.#groups.set(name, [...this.#groups.get(origin)!]);
    this.#journal.note({is: 'branched', branch: name, forkedAt});
  }

  /** A branch that others stand on stays; a writer knows only its own, and may be refused. */
  async #deleteBranch(branch: BranchName): Promise<void> {
    const branches = await this.#store.branches();
    if (branches.some(other => other.origin === branch)) return;
    this.#journal.note({is: 'deleting', branch});
    await this.#store.deleteBranch(branch, SERVICE);
    this.#groups.delete(branch);
    this.#journal.note({is: 'deleted', branch});
  }

  /** Another default order: the entries of every device on main move with it. */
  async #reshape(): Promise<void> {
    const orderBy = this.#pick(ORDERS)!.map(attribute => ({attribute, property: 'value'}));
    const attributes = DEVICE.shape.attributes.map(item =>
      item.name === 'status' ? {...item, indexed: this.#random(2) === 0} : item,
    );
    const {commit} = await this.#store.write(MAIN, SERVICE, draft =>
      draft.putKind(reshaped(DEVICE, {orderBy, attributes})),
    );
    if (commit !== undefined) this.#journal.note({is: 'reshaped', commit, orderBy});
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[this.#random(Math.max(1, list.length))];
  }
}

const ids = (count: number): readonly NodeId[] => Array.from({length: count}, () => randomUUID() as NodeId);

const [folder, journalPath, seed, round] = process.argv.slice(2) as [string, string, string, string];
const random = randomFrom(Number(seed));
const store = await openSqliteGraphStore({folder, clock: systemClock, readWorkers: 0, turnMillis: 0});
const {commit} = await store.write(MAIN, SERVICE, async draft => {
  if (draft.kinds().length === 0) for (const record of ALL_KINDS) await draft.putKind(record);
});
process.stdout.write(commit === undefined ? 'opened' : 'made');
const journal = new Journal(journalPath);
await Promise.all(
  Array.from({length: WRITERS}, (_, index) =>
    new Writer(store, journal, random, `r${round}w${index}`).writeForEver(),
  ),
);
