import {stat} from 'node:fs/promises';
import {type Awaitable, whenReady} from '../../base/awaitable.ts';
import {BoundedMap} from '../../base/bounded-map.ts';
import type {Branch, BranchName} from '../../domain/branch/branch.ts';
import type {NodeChange} from '../../domain/diff/change.ts';
import {unavailable} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {KindShape} from '../../domain/graph/shape.ts';
import type {Choice} from '../../domain/merge/conflict.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Clock} from '../../ports/clock.ts';
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
import {BranchBook, type BranchRow} from '../sql/branch-book.ts';
import {BranchJobs} from '../sql/branch-jobs.ts';
import {CommitInstants} from '../sql/commit-instants.ts';
import {authorsOf, lastCommit, listCommits} from '../sql/commit-log.ts';
import type {Counters} from '../sql/counters.ts';
import {loadCounters} from '../sql/counters.ts';
import {distanceOf} from '../sql/distance.ts';
import {type CountedDocumentCache, documentCache} from '../sql/document-cache.ts';
import type {JobParts} from '../sql/draft-jobs.ts';
import {DraftJobs} from '../sql/draft-jobs.ts';
import {choiceStatement} from '../sql/fork-moves.ts';
import type {GraphContext} from '../sql/graph-view.ts';
import {LayoutCache, queriesAt} from '../sql/graph-view.ts';
import type {Driver} from '../sql/job.ts';
import {SchemaInstants} from '../sql/kind-records.ts';
import {Staging} from '../sql/landing.ts';
import {GLOBAL_SERIAL} from '../sql/lineage.ts';
import {Names} from '../sql/names.ts';
import {touchesOf} from '../sql/node-touches.ts';
import type {Queries} from '../sql/query.ts';
import type {Work} from '../sql/statement.ts';
import {takeBackSome} from '../sql/take-back.ts';
import {TaskDesk} from '../sql/task-desk.ts';
import {Views} from '../sql/views.ts';
import {Checkpoints} from './checkpoints.ts';
import {Connection} from './connection.ts';
import type {Identity} from './data-file.ts';
import {DEFAULT_SERIAL, databasePath, pagesInLog, prepareDatabase} from './data-file.ts';
import {FolderLock} from './folder-lock.ts';
import type {HeavyQuestion} from './heavy-question.ts';
import {answerTo, isHeavy, unpackAnswer} from './heavy-question.ts';
import {logPath} from './log-file.ts';
import {ReadPool} from './read-pool.ts';
import {RememberedPages} from './remembered-pages.ts';
import {slicedSteps} from './sliced-steps.ts';
import {sqliteDialect} from './sqlite-dialect.ts';
import {asServiceError, openRefused} from './sqlite-error.ts';
import {SqliteEventLog} from './sqlite-event-log.ts';
import {SqliteSnapshot} from './sqlite-snapshot.ts';
import {sqliteTaskQueue} from './sqlite-task-queue.ts';
import type {StoreFigures, StoreWatch} from './store-watch.ts';
import {writeProbe} from './write-probe.ts';
import {WriteQueue} from './write-queue.ts';

const DOCUMENTS_MAX = 100_000;
const READ_MILLIS_MAX = 30_000;
const HEADS_MAX = 1000;
const WRITER_BUSY_MILLIS = 2;
/**
 * When pages change places, as they do when one is split, the engine looks through its whole cache at the end of the
 * commit: the larger it is, the longer that takes. Pages that a write has changed may take more.
 */
const WRITER_CACHE_KIBIBYTES = 16_384;
const CHANGED_PAGES_MAX = 16_384;
const VERSIONS_VERIFIED_AMONG_READS_MAX = 5000;

export interface SqliteStoreOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly defaultBranch?: BranchName;
  /** Threads for heavy reads; 0 answers everything on the calling thread. */
  readonly readWorkers?: number;
  /** What one question may take on a thread. */
  readonly readMillisMax?: number;
  /** How many parsed versions are kept at hand. */
  readonly documentsMax?: number | undefined;
  /** How long a large merge writes before others have their turn. */
  readonly turnMillis?: number | undefined;
  readonly watch?: StoreWatch;
}

/** The graph in one SQLite file, written by this process alone. */
export class SqliteGraphStore implements GraphStore, MergeStore {
  readonly deploymentId: string;
  readonly defaultBranch: BranchName;
  readonly oldest: Instant;
  /** True when this start made the database. */
  readonly isNew: boolean;
  /** The connections, for tests that look at statements and plans. */
  readonly writer: Connection;
  readonly reader: Connection;
  readonly tasks: TaskQueue;
  readonly events: EventLog;
  readonly #path: string;
  readonly #lock: FolderLock;
  readonly #context: GraphContext;
  readonly #instants: CommitInstants;
  readonly #counters: Counters;
  readonly #drafts: DraftJobs;
  readonly #branches: BranchJobs;
  readonly #queue: WriteQueue;
  readonly #pool: ReadPool | undefined;
  readonly #readMillisMax: number;
  readonly #checkpoints: Checkpoints;
  readonly #documents: CountedDocumentCache;
  readonly #pages = new RememberedPages();
  readonly #heads = new BoundedMap<number, {readonly head: Snapshot; readonly revision: number}>(HEADS_MAX);
  #purging: Promise<void> | undefined;
  #isClosing = false;

  constructor(
    options: SqliteStoreOptions,
    parts: {
      readonly lock: FolderLock;
      readonly writer: Connection;
      readonly reader: Connection;
      readonly identity: Identity;
      readonly isNew: boolean;
    },
  ) {
    const {identity, writer, reader} = parts;
    this.deploymentId = identity.deploymentId;
    this.defaultBranch = identity.defaultBranch;
    this.oldest = identity.createdAt;
    this.isNew = parts.isNew;
    this.writer = writer;
    this.reader = reader;
    this.#path = databasePath(options.folder);
    this.#lock = parts.lock;
    this.#documents = documentCache(options.documentsMax ?? DOCUMENTS_MAX);
    writer.watch = options.watch?.ran;
    reader.watch = options.watch?.ran;
    this.#context = {
      book: writer.drive(BranchBook.load()),
      instants: writer.drive(SchemaInstants.load()),
      names: writer.drive(Names.load()),
      layouts: new LayoutCache(),
      views: new Views(),
      dialect: sqliteDialect,
      cache: this.#documents,
      defaultBranch: DEFAULT_SERIAL,
    };
    while (!writer.writing(() => writer.drive(takeBackSome(this.#context))));
    const counters = writer.drive(loadCounters());
    const last = writer.drive(lastCommit()) ?? identity.createdAt;
    this.#instants = new CommitInstants(options.clock, last);
    const desk = new TaskDesk(options.clock, this.#instants);
    const driver: Driver = {
      drive: work => slicedSteps(writer, () => false)(work),
      steps: isOver => slicedSteps(writer, isOver),
    };
    this.#counters = counters;
    const jobs: JobParts = {
      driver,
      context: this.#context,
      instants: this.#instants,
      counters,
      tasks: desk,
      staging: new Staging(options.turnMillis),
    };
    this.#drafts = new DraftJobs(jobs);
    this.#branches = new BranchJobs(jobs);
    this.#checkpoints = new Checkpoints(this.#path, () => pagesInLog(writer));
    const events = new SqliteEventLog({
      context: this.#context,
      committed: () => this.#instants.committed,
      read: work => this.#read(work),
      ask: question => this.#ask(question),
    });
    this.events = events;
    this.#queue = new WriteQueue(
      writer,
      (millis, writes) => {
        options.watch?.committed(millis, writes);
        this.#checkpoints.afterCommit();
        events.tell();
      },
      options.watch?.ran !== undefined,
    );
    this.tasks = sqliteTaskQueue(writer, this.#queue, desk, work => this.#read(work));
    this.#readMillisMax = options.readMillisMax ?? READ_MILLIS_MAX;
    const workers = options.readWorkers ?? 1;
    this.#pool = workers === 0 ? undefined : new ReadPool(this.#path, workers, options.watch?.ran);
    this.#purgeLeaving();
  }

  now(): Instant {
    return this.#instants.now();
  }

  snapshot({branch, at}: ReadPoint): Awaitable<Snapshot> {
    const row = this.#context.book.byName(branch);
    if (at === undefined) return this.#head(row);
    return whenReady(this.#fixed(at), until => this.#snapshot(row, until));
  }

  /** Until the next commit everybody reads the head through the same snapshot. */
  #head(row: BranchRow): Snapshot {
    const {committed} = this.#instants;
    const {revision} = this.#context.book;
    const known = this.#heads.get(row.serial);
    if (known?.revision === revision && known.head.at === committed) return known.head;
    const head = this.#snapshot(row, committed);
    this.#heads.set(row.serial, {head, revision});
    return head;
  }

  #snapshot({name, serial}: BranchRow, at: Instant): Snapshot {
    return new SqliteSnapshot(
      {name, serial, at},
      this.#view(serial, at),
      this.#context,
      this.reader,
      this.#pages,
      this.#pool,
      this.#readMillisMax,
    );
  }

  spared(since: Instant, until: Instant, matters: (kind: KindShape) => boolean): boolean {
    return this.#instants.spared(since, until, matters);
  }

  write<T>(branch: BranchName, author: Author, body: (draft: Draft) => Promise<T>): Promise<Written<T>> {
    return this.combine(branch, author, body);
  }

  combine<T>(
    branch: BranchName,
    author: Author,
    body: (draft: MergeDraft) => Promise<T>,
    changes?: number,
  ): Promise<Written<T>> {
    return changes === undefined
      ? this.#queue.add(this.#drafts.job(branch, author, body))
      : this.#queue.addStepped(this.#drafts.stepped(branch, author, body, changes));
  }

  async branches(): Promise<readonly Branch[]> {
    return this.#context.book.rows().map(row => this.#describe(row.serial));
  }

  branch(name: BranchName): Awaitable<Branch> {
    return this.#describe(this.#context.book.byName(name).serial);
  }

  createBranch(request: NewBranch, author: Author, tasks: TaskEffects = {}): Promise<Branch> {
    return this.#queue.add(this.#branches.create(request, author, tasks));
  }

  async deleteBranch(name: BranchName, author: Author, tasks: TaskEffects = {}): Promise<void> {
    await this.#queue.add(this.#branches.delete(name, author, tasks));
    this.#purgeLeaving();
  }

  describe(branch: BranchName, description: string): Promise<void> {
    return this.#queue.add(this.#branches.describe(branch, description));
  }

  choose(branch: BranchName, conflict: string, choice: Choice | null): Promise<void> {
    return this.#queue.add(this.#branches.note(branch, serial => choiceStatement(serial, conflict, choice)));
  }

  async diff(request: DiffRequest): Promise<readonly NodeChange[]> {
    const {serial} = this.#context.book.byName(request.branch);
    const to = await this.#fixed(request.to);
    const question = {is: 'diff', branch: serial, from: request.from, to} as const;
    return (await this.#ask(question)) as readonly NodeChange[];
  }

  async threeWay(branch: BranchName): Promise<ThreeWay> {
    const {serial} = this.#context.book.byName(branch);
    const at = this.#instants.committed;
    return (await this.#ask({is: 'threeWay', branch: serial, at})) as ThreeWay;
  }

  async matter(branch: BranchName): Promise<MergeMatterOfBranch> {
    const {serial} = this.#context.book.byName(branch);
    const at = this.#instants.committed;
    return (await this.#ask({is: 'matter', branch: serial, at})) as MergeMatterOfBranch;
  }

  async clashes(branch: BranchName): Promise<readonly UniqueClash[]> {
    const {serial} = this.#context.book.byName(branch);
    const at = this.#instants.committed;
    return (await this.#ask({is: 'clashes', branch: serial, at})) as readonly UniqueClash[];
  }

  async distance(branch: BranchName): Promise<Distance> {
    const {book} = this.#context;
    return this.#read(distanceOf(book, book.byName(branch).serial));
  }

  async commits(request: CommitsRequest): Promise<readonly CommitRecord[]> {
    const row = this.#context.book.byName(request.branch);
    return this.#read(listCommits(row.serial, row.name, request));
  }

  async authors(instants: readonly Instant[]): Promise<ReadonlyMap<Instant, NodeId | null>> {
    return this.#read(authorsOf(instants, this.#context.dialect));
  }

  async touches(
    {branch, at}: ReadPoint,
    id: NodeId,
    {limit, before}: {readonly limit: number; readonly before?: Instant},
  ): Promise<readonly Touch[]> {
    const {book} = this.#context;
    const {serial} = book.byName(branch);
    const lineage = book.lineage(serial, await this.#fixed(at));
    const found = this.#read(touchesOf(lineage, id, limit, before));
    const nameOf = (made: number) => book.bySerial(made)?.name ?? branch;
    return found.map(touch => ({
      branch: touch.branch === GLOBAL_SERIAL ? branch : nameOf(touch.branch),
      instant: touch.instant,
    }));
  }

  /** What takes long gets a thread of its own, so that no other read waits for it. */
  async verify(): Promise<VerifyReport> {
    for (;;) {
      const report = await this.#verifyNow();
      if (report !== undefined) return report;
      await this.#instants.settled();
    }
  }

  /** Undefined while a write lands in steps: what it has written so far is not whole. */
  async #verifyNow(): Promise<VerifyReport | undefined> {
    const isSmall = this.#counters.durable <= VERSIONS_VERIFIED_AMONG_READS_MAX;
    if (this.#pool === undefined || isSmall)
      return (await this.#ask({is: 'verify'})) as VerifyReport | undefined;
    const own = new ReadPool(this.#path, 1);
    try {
      return (await own.ask({is: 'verify'})) as VerifyReport | undefined;
    } finally {
      await own.close();
    }
  }

  /** How the store is doing at this moment. */
  async figures(): Promise<StoreFigures> {
    const [database, log] = await Promise.all(
      [this.#path, logPath(this.#path)].map(
        async path => (await stat(path).catch(() => undefined))?.size ?? 0,
      ),
    );
    return {
      writesWaiting: this.#queue.waiting,
      readsWaiting: this.#pool?.waiting ?? 0,
      databaseBytes: database!,
      logBytes: log!,
      documentsCached: this.#documents.size,
      documentHits: this.#documents.hits,
      documentMisses: this.#documents.misses,
    };
  }

  committed(): Instant {
    return this.#instants.committed;
  }

  /** This process makes all commits there are, and knows them. */
  async reach(commit: Instant): Promise<void> {
    if (commit > this.#instants.committed) throw unavailable(`The commit ${commit} is not known here.`);
  }

  /** There is nobody else to hear of; the log that tells of commits must answer. */
  async checkChannel(): Promise<void> {
    await this.events.eventsUntil();
  }

  async check(): Promise<void> {
    if (this.#queue.broken !== undefined) throw this.#queue.broken;
    this.#read(lastCommit());
    if (this.#queue.wasFull) await this.#queue.add(writeProbe(this.writer));
  }

  /** Fails when what is kept in memory does not come back as it was put there. */
  async checkCache(): Promise<void> {
    this.#documents.check();
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#purging;
    await this.#queue.close();
    await this.#pool?.close();
    await this.#checkpoints.close();
    this.reader.close();
    this.writer.close();
    this.#lock.close();
  }

  /** Removes the rows of deleted branches, a bounded step at a time between the writes of others. */
  #purgeLeaving(): void {
    const {leaving} = this.#context.book;
    if (this.#purging !== undefined || leaving.size === 0) return;
    const purge = async () => {
      for (const branch of leaving) {
        let isDone = false;
        while (!isDone && !this.#isClosing) isDone = await this.#queue.add(this.#branches.purge(branch));
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

  #describe(serial: number): Branch {
    const {book, instants} = this.#context;
    const row = book.bySerial(serial)!;
    const base = book.baseOf(serial);
    const changed = base === undefined ? undefined : instants.last(serial, this.#instants.committed);
    return book.describe(row, changed !== undefined && changed > book.settledAt(serial));
  }

  #view(branch: number, at: Instant): Queries {
    const known = this.#context.views.get(this.#context.book, branch, at);
    return known ?? this.#read(queriesAt(this.#context, branch, at));
  }

  #fixed(at: Instant | undefined): Awaitable<Instant> {
    return this.#instants.fixed(at, this.#queue.underway);
  }

  async #ask(question: HeavyQuestion): Promise<unknown> {
    if (this.#pool === undefined || !this.#read(isHeavy(this.#context, question))) {
      return this.#read(answerTo(this.#context, question));
    }
    return unpackAnswer(question, await this.#pool.ask(question));
  }

  #read<T>(work: Work<T>): T {
    try {
      return this.reader.reading(() => this.reader.drive(work));
    } catch (error) {
      throw asServiceError(error);
    }
  }
}

export async function openSqliteGraphStore(options: SqliteStoreOptions): Promise<SqliteGraphStore> {
  const path = databasePath(options.folder);
  const opened: {close(): void}[] = [];
  try {
    const lock = new FolderLock(options.folder);
    opened.push(lock);
    const writer = new Connection(path, {readOnly: false});
    opened.push(writer);
    const now = options.clock.nowMicros() as Instant;
    const defaultBranch = options.defaultBranch ?? ('main' as BranchName);
    const {identity, isNew} = prepareDatabase(writer, path, defaultBranch, now);
    // From here on the write queue waits for locks, without holding this thread.
    writer.exec(`PRAGMA busy_timeout = ${WRITER_BUSY_MILLIS};
      PRAGMA cache_size = -${WRITER_CACHE_KIBIBYTES}; PRAGMA cache_spill = ${CHANGED_PAGES_MAX}`);
    const reader = new Connection(path, {readOnly: true});
    opened.push(reader);
    return new SqliteGraphStore(options, {lock, writer, reader, identity, isNew});
  } catch (error) {
    for (const connection of opened.reverse()) connection.close();
    throw openRefused(path, error);
  }
}
