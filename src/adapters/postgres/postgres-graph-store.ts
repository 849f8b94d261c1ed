import type {Branch, BranchName} from '../../domain/branch/branch.ts';
import type {NodeChange} from '../../domain/diff/change.ts';
import {unavailable} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Choice} from '../../domain/merge/conflict.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {EventLog} from '../../ports/event-log.ts';
import type {
  Author,
  CommitRecord,
  CommitsRequest,
  DiffRequest,
  Draft,
  GraphStore,
  NewBranch,
  ReadPoint,
  Snapshot,
  ThreeWay,
  Touch,
  VerifyReport,
  Written,
} from '../../ports/graph-store.ts';
import type {
  Distance,
  MergeDraft,
  MergeMatterOfBranch,
  MergeStore,
  UniqueClash,
} from '../../ports/merge-store.ts';
import type {TaskEffects, TaskQueue} from '../../ports/task-queue.ts';
import type {BranchRow} from '../sql/branch-book.ts';
import {diffOf, threeWayOf} from '../sql/branch-diff.ts';
import {CommitFollower} from '../sql/commit-follower.ts';
import type {CommitInstants} from '../sql/commit-instants.ts';
import {authorsOf, lastCommit, listCommits} from '../sql/commit-log.ts';
import {distanceOf} from '../sql/distance.ts';
import type {CountedDocumentCache} from '../sql/document-cache.ts';
import {choiceStatement, matterOf} from '../sql/fork-moves.ts';
import {queriesAt} from '../sql/graph-view.ts';
import {GLOBAL_SERIAL} from '../sql/lineage.ts';
import {touchesOf} from '../sql/node-touches.ts';
import type {Row, Work} from '../sql/statement.ts';
import {read} from '../sql/statement.ts';
import {clashesOf} from '../sql/unique-clashes.ts';
import {verifyGraph} from '../sql/verify.ts';
import type {StoreFigures} from '../sqlite/store-watch.ts';
import type {CommitChannel} from './commit-channel.ts';
import type {Connections} from './connections.ts';
import type {Identity} from './database.ts';
import type {PostgresEventLog} from './postgres-event-log.ts';
import {PostgresSnapshot} from './postgres-snapshot.ts';
import type {Reading} from './reading.ts';
import type {Writer} from './writer.ts';
import type {SessionParts} from './writer-session.ts';

export interface StoreParts {
  readonly identity: Identity;
  readonly isNew: boolean;
  readonly reading: Reading;
  readonly writer: Writer;
  readonly instants: CommitInstants;
  readonly channel: CommitChannel;
  readonly connections: Connections;
  readonly tasks: TaskQueue;
  readonly events: PostgresEventLog;
  readonly session: SessionParts;
  readonly documents: CountedDocumentCache;
}

/** The graph in a PostgreSQL database, which any number of servers read and write. */
export class PostgresGraphStore implements GraphStore, MergeStore {
  readonly deploymentId: string;
  readonly defaultBranch: BranchName;
  readonly oldest: Instant;
  /** True when this start made the database. */
  readonly isNew: boolean;
  readonly tasks: TaskQueue;
  readonly events: EventLog;
  readonly #parts: StoreParts;
  readonly #reading: Reading;
  readonly #writer: Writer;
  #purging: Promise<void> | undefined;
  #isClosing = false;

  constructor(parts: StoreParts) {
    const {identity} = parts;
    this.deploymentId = identity.deploymentId;
    this.defaultBranch = identity.defaultBranch;
    this.oldest = identity.createdAt;
    this.isNew = parts.isNew;
    this.tasks = parts.tasks;
    this.events = parts.events;
    this.#parts = parts;
    this.#reading = parts.reading;
    this.#writer = parts.writer;
    this.#purgeLeaving();
  }

  now(): Instant {
    return this.#parts.instants.now();
  }

  async snapshot({branch, at}: ReadPoint): Promise<Snapshot> {
    await this.#whileDeaf();
    const {serial, name} = await this.#branchRow(branch);
    const until = await this.#fixed(at);
    const {context} = this.#reading;
    const known = context.views.get(context.book, serial, until);
    const {reader} = known ?? (await this.#reading.read(() => queriesAt(context, serial, until)));
    return new PostgresSnapshot(name, serial, until, reader.layout, this.#reading);
  }

  /** What other servers committed is not known by its kinds. */
  spared(): boolean {
    return false;
  }

  write<T>(branch: BranchName, author: Author, body: (draft: Draft) => Promise<T>): Promise<Written<T>> {
    return this.combine(branch, author, body);
  }

  combine<T>(
    branch: BranchName,
    author: Author,
    body: (draft: MergeDraft) => Promise<T>,
  ): Promise<Written<T>> {
    return this.#writer.add(session => session.drafts.job(branch, author, body));
  }

  async branches(): Promise<readonly Branch[]> {
    await this.#whileDeaf();
    const descriptions = await this.#reading.read(() => descriptionsOf());
    return this.#reading.context.book.rows().map(row => this.#describe(row, descriptions));
  }

  async branch(name: BranchName): Promise<Branch> {
    const row = await this.#branchRow(name);
    return this.#describe(row, await this.#reading.read(() => descriptionsOf()));
  }

  createBranch(request: NewBranch, author: Author, tasks: TaskEffects = {}): Promise<Branch> {
    return this.#writer.add(session => session.branches.create(request, author, tasks));
  }

  async deleteBranch(name: BranchName, author: Author, tasks: TaskEffects = {}): Promise<void> {
    await this.#writer.add(session => session.branches.delete(name, author, tasks));
    this.#purgeLeaving();
  }

  describe(branch: BranchName, description: string): Promise<void> {
    return this.#writer.add(session => session.branches.describe(branch, description));
  }

  choose(branch: BranchName, conflict: string, choice: Choice | null): Promise<void> {
    const statement = (serial: number) => choiceStatement(serial, conflict, choice);
    return this.#writer.add(session => session.branches.note(branch, statement));
  }

  async diff({branch, from, to}: DiffRequest): Promise<readonly NodeChange[]> {
    const {serial} = await this.#branchRow(branch);
    const until = await this.#fixed(to);
    return this.#reading.read(() => diffOf(this.#reading.context, serial, from, until));
  }

  async threeWay(branch: BranchName): Promise<ThreeWay> {
    const {serial} = await this.#branchRow(branch);
    const {context} = this.#reading;
    return this.#reading.read(() => threeWayOf(context, serial, this.#reading.committed));
  }

  async matter(branch: BranchName): Promise<MergeMatterOfBranch> {
    const {serial} = await this.#branchRow(branch);
    const {context} = this.#reading;
    return this.#reading.read(() => matterOf(context, serial, this.#reading.committed));
  }

  async clashes(branch: BranchName): Promise<readonly UniqueClash[]> {
    const {serial} = await this.#branchRow(branch);
    const {context} = this.#reading;
    return this.#reading.read(() => clashesOf(context, serial, this.#reading.committed));
  }

  async distance(branch: BranchName): Promise<Distance> {
    const {serial} = await this.#branchRow(branch);
    return this.#reading.read(() => distanceOf(this.#reading.context.book, serial));
  }

  async commits(request: CommitsRequest): Promise<readonly CommitRecord[]> {
    const row = await this.#branchRow(request.branch);
    return this.#reading.read(() => listCommits(row.serial, row.name, request));
  }

  authors(instants: readonly Instant[]): Promise<ReadonlyMap<Instant, NodeId | null>> {
    return this.#reading.read(() => authorsOf(instants, this.#reading.context.dialect));
  }

  async touches(
    {branch, at}: ReadPoint,
    id: NodeId,
    {limit, before}: {readonly limit: number; readonly before?: Instant},
  ): Promise<readonly Touch[]> {
    const {serial} = await this.#branchRow(branch);
    const until = await this.#fixed(at);
    const {book} = this.#reading.context;
    const found = await this.#reading.read(() => touchesOf(book.lineage(serial, until), id, limit, before));
    const nameOf = (made: number) => book.bySerial(made)?.name ?? branch;
    return found.map(touch => ({
      branch: touch.branch === GLOBAL_SERIAL ? branch : nameOf(touch.branch),
      instant: touch.instant,
    }));
  }

  /** With its own memory of the graph, so that what is proved is what stands in the tables. */
  async verify(): Promise<VerifyReport> {
    const {context} = this.#parts.session;
    const {oldest} = this;
    return this.#reading.read(() => verified(context, oldest));
  }

  committed(): Instant {
    return this.#reading.committed;
  }

  async figures(): Promise<StoreFigures> {
    const {documents, connections} = this.#parts;
    const [row] = await this.#reading.transaction(databaseSize);
    return {
      writesWaiting: this.#writer.waiting,
      readsWaiting: connections.waiting,
      databaseBytes: row![0] as number,
      logBytes: 0,
      documentsCached: documents.size,
      documentHits: documents.hits,
      documentMisses: documents.misses,
    };
  }

  /** Reads from here on see the commit, whatever server made it. */
  async reach(commit: Instant): Promise<void> {
    if (commit <= this.#reading.committed) return;
    await this.#reading.catchUp();
    if (commit <= this.#reading.committed) return;
    throw unavailable(`The commit ${commit} is not known here yet; try again in a moment.`);
  }

  /** Reads from here on see whatever was acknowledged before, by any server. */
  latest(): Promise<void> {
    return this.#reading.latest();
  }

  async check(): Promise<void> {
    await this.#reading.transaction(lastCommit);
  }

  /** Fails while nothing is heard of the commits of other servers; reads then ask the log each time. */
  async checkChannel(): Promise<void> {
    const {problem} = this.#parts.channel;
    if (problem === undefined) return;
    throw unavailable('Commits of other servers are not announced; reads look for them each time.', {
      cause: problem,
    });
  }

  /** It answers from memory, which follows the log. */
  async checkCache(): Promise<void> {
    if (this.#reading.context.book.find(this.defaultBranch) === undefined) {
      throw unavailable('The memory of the graph does not know its default branch.');
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#purging;
    await this.#writer.close();
    await this.#parts.channel.close();
    await this.#parts.connections.close();
  }

  /** Removes the rows of deleted branches, a bounded step at a time between the writes of others. */
  #purgeLeaving(): void {
    const {leaving} = this.#reading.context.book;
    if (this.#purging !== undefined || leaving.size === 0) return;
    const purge = async () => {
      for (const branch of leaving) {
        let isDone = false;
        while (!isDone && !this.#isClosing) {
          isDone = await this.#writer.add(session => session.branches.purge(branch));
        }
        if (!isDone) return;
        leaving.delete(branch);
      }
    };
    this.#purging = purge()
      .catch(() => undefined)
      .finally(() => {
        this.#purging = undefined;
      });
  }

  /** Nobody says when something new is there: the log is asked. */
  async #whileDeaf(): Promise<void> {
    if (this.#parts.channel.problem !== undefined) await this.#reading.catchUp();
  }

  /** One that is not known may have been made on another server just now. */
  async #branchRow(name: BranchName): Promise<BranchRow> {
    const {book} = this.#reading.context;
    const known = book.find(name);
    if (known !== undefined) return known;
    await this.#reading.catchUp();
    return book.byName(name);
  }

  #describe(row: BranchRow, descriptions: ReadonlyMap<number, string>): Branch {
    const {book, instants} = this.#reading.context;
    const {serial} = row;
    const base = book.baseOf(serial);
    const changed = base === undefined ? undefined : instants.last(serial, this.#reading.committed);
    const hasSchemaChanges = changed !== undefined && changed > book.settledAt(serial);
    return book.describe(
      {...row, description: descriptions.get(serial) ?? row.description},
      hasSchemaChanges,
    );
  }

  /**
   * What is answered for an instant stays so. One that lies behind the last commit is made to be over on every server
   * first; the future is not known yet and reads as now.
   */
  async #fixed(at: Instant | undefined): Promise<Instant> {
    if (at === undefined) return this.#reading.committed;
    if (at <= this.#reading.told) return at;
    const now = this.now();
    if (now > this.#reading.told) {
      await this.#writer.fence(now);
      await this.#reading.catchUp();
    }
    return Math.min(at, now) as Instant;
  }
}

function* databaseSize(): Work<readonly Row[]> {
  return yield read('SELECT pg_database_size(current_database())', []);
}

/** Descriptions change without a commit, so nobody hears of it. */
function* descriptionsOf(): Work<ReadonlyMap<number, string>> {
  const rows = yield read('SELECT id, description FROM branch WHERE deleted = 0', []);
  return new Map(rows.map(row => [row[0] as number, row[1] as string]));
}

function* verified(parts: SessionParts['context'], oldest: Instant): Work<VerifyReport> {
  const {context, committed} = yield* CommitFollower.load(parts, oldest);
  return yield* verifyGraph(context, committed);
}
