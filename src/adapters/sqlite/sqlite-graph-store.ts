import {randomUUID} from 'node:crypto';
import type {Branch, BranchName} from '../../domain/branch/branch.ts';
import type {NodeChange} from '../../domain/diff/change.ts';
import {constraintViolation, validationError} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Choice} from '../../domain/merge/conflict.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Clock} from '../../ports/clock.ts';
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
import type {Distance, MergeDraft, MergeMatterOfBranch, MergeStore} from '../../ports/merge-store.ts';
import {BranchBook} from '../sql/branch-book.ts';
import {diffOf, threeWayOf} from '../sql/branch-diff.ts';
import {authorsOf, commitStatement, listCommits} from '../sql/commit-log.ts';
import type {Counters} from '../sql/counters.ts';
import {keepCounter, loadCounters} from '../sql/counters.ts';
import {distanceOf} from '../sql/distance.ts';
import type {DocumentCache} from '../sql/document-cache.ts';
import {documentCache, draftCache} from '../sql/document-cache.ts';
import {DraftState} from '../sql/draft-state.ts';
import {DraftWork} from '../sql/draft-work.ts';
import {choiceStatement, ForkMoves, matterOf} from '../sql/fork-moves.ts';
import type {GraphContext} from '../sql/graph-view.ts';
import {hasIndexIn, hasUniqueIn, indexKeepers, LayoutCache, layoutOf} from '../sql/graph-view.ts';
import {SchemaInstants} from '../sql/kind-records.ts';
import {GLOBAL_SERIAL} from '../sql/lineage.ts';
import {Names} from '../sql/names.ts';
import {touchesOf} from '../sql/node-touches.ts';
import {purgeStep} from '../sql/purge.ts';
import {baseStatement} from '../sql/rebase-branch.ts';
import type {Work} from '../sql/statement.ts';
import {change, read} from '../sql/statement.ts';
import {touchedText} from '../sql/touched.ts';
import {verifyGraph} from '../sql/verify.ts';
import {Checkpoints} from './checkpoints.ts';
import {Connection} from './connection.ts';
import type {Identity} from './data-file.ts';
import {DEFAULT_SERIAL, databasePath, holdFolder, openDatabase} from './data-file.ts';
import {ReadPool} from './read-pool.ts';
import {sqliteDialect} from './sqlite-dialect.ts';
import {asServiceError} from './sqlite-error.ts';
import {SqliteMergeDraft} from './sqlite-merge-draft.ts';
import {SqliteSnapshot} from './sqlite-snapshot.ts';
import type {JobResult} from './write-queue.ts';
import {WriteQueue} from './write-queue.ts';

const DOCUMENTS_MAX = 100_000;

export interface SqliteStoreOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly defaultBranch?: BranchName;
  /** Threads for heavy reads; 0 answers everything on the calling thread. */
  readonly readWorkers?: number;
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
  readonly #clock: Clock;
  readonly #lock: Connection;
  readonly #context: GraphContext;
  readonly #counters: Counters;
  readonly #queue: WriteQueue;
  readonly #pool: ReadPool | undefined;
  readonly #checkpoints: Checkpoints;
  readonly #cache: DocumentCache;
  /** The last instant given out, and the last that is durable. */
  #last: number;
  #committed: Instant;
  /** The last version that is durable; the numbers above it may be given back. */
  #durableVersion: number;
  #purging: Promise<void> | undefined;
  #isClosing = false;

  constructor(
    options: SqliteStoreOptions,
    parts: {
      readonly lock: Connection;
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
    this.#clock = options.clock;
    this.#lock = parts.lock;
    this.#cache = documentCache(DOCUMENTS_MAX);
    this.#context = {
      book: writer.drive(BranchBook.load()),
      instants: writer.drive(SchemaInstants.load()),
      names: writer.drive(Names.load()),
      layouts: new LayoutCache(),
      dialect: sqliteDialect,
      cache: this.#cache,
      defaultBranch: DEFAULT_SERIAL,
    };
    this.#counters = writer.drive(loadCounters());
    this.#durableVersion = this.#counters.version;
    this.#last = Number(writer.run(read('SELECT max(ts) FROM commits', []))[0]![0] ?? identity.createdAt);
    this.#committed = this.#last as Instant;
    this.#checkpoints = new Checkpoints(databasePath(options.folder));
    this.#queue = new WriteQueue(writer, () => this.#checkpoints.afterCommit());
    const workers = options.readWorkers ?? 1;
    this.#pool = workers === 0 ? undefined : new ReadPool(databasePath(options.folder), workers);
    this.#purgeLeaving();
  }

  /** An instant that was told is over: no later commit may fall on it. */
  now(): Instant {
    this.#last = Math.max(this.#clock.nowMicros(), this.#last);
    return this.#last as Instant;
  }

  async snapshot({branch, at}: ReadPoint): Promise<Snapshot> {
    const {book} = this.#context;
    const row = book.byName(branch);
    const until = at === undefined ? this.#committed : await this.#fixed(at);
    const layout = this.#read(layoutOf(this.#context, book.lineage(row.serial, until)));
    const heavy = this.#pool?.query.bind(this.#pool, this.#context);
    return new SqliteSnapshot(row.name, row.serial, until, layout, this.#context, this.reader, heavy);
  }

  write<T>(branch: BranchName, author: Author, body: (draft: Draft) => Promise<T>): Promise<Written<T>> {
    return this.combine(branch, author, body);
  }

  combine<T>(
    branch: BranchName,
    author: Author,
    body: (draft: MergeDraft) => Promise<T>,
  ): Promise<Written<T>> {
    const before = {...this.#counters};
    return this.#queue.add<Written<T>>({
      run: () => {
        Object.assign(before, this.#counters);
        return this.#runDraft(branch, author, body);
      },
      undo: () => this.#undo(before),
    });
  }

  async branches(): Promise<readonly Branch[]> {
    return this.#context.book.rows().map(row => this.#describe(row.serial));
  }

  async branch(name: BranchName): Promise<Branch> {
    return this.#describe(this.#context.book.byName(name).serial);
  }

  createBranch(request: NewBranch, author: Author): Promise<Branch> {
    return this.#queue.add<Branch>({
      run: async () => this.#runCreateBranch(request, author),
      undo: () => undefined,
    });
  }

  async deleteBranch(name: BranchName, author: Author): Promise<void> {
    await this.#queue.add<void>({
      run: async () => this.#runDeleteBranch(name, author),
      undo: () => undefined,
    });
    this.#purgeLeaving();
  }

  async diff(request: DiffRequest): Promise<readonly NodeChange[]> {
    const {serial} = this.#context.book.byName(request.branch);
    const to = request.to === undefined ? this.#committed : await this.#fixed(request.to);
    return this.#read(diffOf(this.#context, serial, request.from, to));
  }

  async threeWay(branch: BranchName): Promise<ThreeWay> {
    const {serial} = this.#context.book.byName(branch);
    return this.#read(threeWayOf(this.#context, serial, this.#committed));
  }

  async matter(branch: BranchName): Promise<MergeMatterOfBranch> {
    const {serial} = this.#context.book.byName(branch);
    return this.#read(matterOf(this.#context, serial, this.#committed));
  }

  async choose(branch: BranchName, conflict: string, choice: Choice | null): Promise<void> {
    await this.#queue.add<void>({
      run: async () => {
        const {serial} = this.#context.book.byName(branch);
        this.writer.run(choiceStatement(serial, conflict, choice));
        return {value: undefined};
      },
      undo: () => undefined,
    });
  }

  async distance(branch: BranchName): Promise<Distance> {
    const {book} = this.#context;
    return this.#read(distanceOf(book, book.byName(branch).serial));
  }

  async describe(branch: BranchName, description: string): Promise<void> {
    const {book} = this.#context;
    await this.#queue.add<void>({
      run: async () => {
        const row = book.byName(branch);
        this.writer.run(
          change('UPDATE branch SET description = ?2 WHERE id = ?1', [row.serial, description]),
        );
        return {
          value: undefined,
          standsAlone: true,
          publish: () => book.add({...row, description}),
        };
      },
      undo: () => undefined,
    });
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
    const lineage = book.lineage(serial, at === undefined ? this.#committed : await this.#fixed(at));
    const found = this.#read(touchesOf(lineage, id, limit, before));
    const nameOf = (made: number) => book.bySerial(made)?.name ?? branch;
    return found.map(touch => ({
      branch: touch.branch === GLOBAL_SERIAL ? branch : nameOf(touch.branch),
      instant: touch.instant,
    }));
  }

  async verify(): Promise<VerifyReport> {
    return this.#queue.add<VerifyReport>({
      run: async () => ({value: this.writer.drive(verifyGraph(this.#context, this.#committed))}),
      undo: () => undefined,
    });
  }

  async check(): Promise<void> {
    if (this.#queue.broken !== undefined) throw this.#queue.broken;
    this.reader.run(read('SELECT max(ts) FROM commits', []));
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

  async #runDraft<T>(
    name: BranchName,
    author: Author,
    body: (draft: MergeDraft) => Promise<T>,
  ): Promise<JobResult<Written<T>>> {
    const {book} = this.#context;
    const {serial} = book.byName(name);
    const at = this.#nextInstant();
    const state = this.writer.drive(this.#draftState(serial, at));
    const work = new DraftWork(state);
    const forks = new ForkMoves(this.#context, work, (branch, instant) => this.#draftState(branch, instant));
    const draft = new SqliteMergeDraft(this.writer, work, name, author.message ?? '', forks);
    let value: T;
    try {
      value = await body(draft);
      await draft.finish();
    } finally {
      draft.abandon();
    }
    if (!state.hasChanges) return {value: {value, commit: undefined}};
    const op = state.touchesOthers ? 'write.others' : state.writesGlobal ? 'write.global' : 'write';
    this.writer.run(commitStatement(serial, at, op, author, draft.message, state, touchedText(state)));
    book.moveHead(serial, at);
    book.moveHead(GLOBAL_SERIAL, at);
    if (state.touchesOthers) book.moveAllHeads(at);
    const changesSchema = state.touchedKinds.size > 0;
    return {
      value: {value, commit: at},
      standsAlone: changesSchema || forks.moved.length > 0,
      publish: () => {
        for (const {branch, base, movesKinds} of forks.moved) {
          book.addBase(branch, base);
          if (movesKinds) this.#context.instants.add(branch, at);
        }
        this.#committed = at;
        this.#durableVersion = this.#counters.version;
        this.#context.names.settle();
        if (changesSchema) this.#context.instants.add(serial, at);
      },
    };
  }

  *#draftState(branch: number, at: Instant): Work<DraftState> {
    const {book, names, dialect} = this.#context;
    const lineage = book.lineage(branch, at);
    const layout = yield* layoutOf(this.#context, lineage);
    const keepers = yield* indexKeepers(this.#context, lineage, branch, at);
    const isDefault = branch === DEFAULT_SERIAL;
    return new DraftState({
      branch,
      at,
      lineage,
      layout,
      names,
      dialect,
      cache: draftCache(this.#cache, this.#durableVersion),
      counters: this.#counters,
      canonical: kind => (isDefault ? undefined : keepers.shared?.bySerial.get(kind.serial)),
      hasIndex: hasIndexIn(keepers),
      hasUnique: hasUniqueIn(keepers),
    });
  }

  #runCreateBranch(request: NewBranch, author: Author): JobResult<Branch> {
    const {book} = this.#context;
    if (book.isTaken(request.name)) {
      throw validationError(`The branch ${request.name} already exists`, {branch: request.name});
    }
    const origin = book.byName(request.origin);
    const at = this.#nextInstant();
    const fork = Math.min(request.at ?? at, at) as Instant;
    const serial = Number(this.writer.run(read('SELECT max(id) FROM branch', []))[0]![0]) + 1;
    const row = {
      serial,
      id: randomUUID(),
      name: request.name,
      description: request.description,
      createdAt: at,
      syncWithGit: request.syncWithGit,
    };
    this.writer.run(
      change(
        'INSERT INTO branch (id, uuid, name, description, created, sync, deleted, purged) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0)',
        [serial, row.id, row.name, row.description, at, row.syncWithGit ? 1 : 0],
      ),
    );
    this.writer.run(commitStatement(serial, at, 'branch.created', author, author.message ?? ''));
    const base = {since: at, parent: origin.serial, fork, settles: true};
    this.writer.run(baseStatement(serial, base, false));
    const branch: Branch = {
      id: row.id,
      name: row.name,
      description: row.description,
      isDefault: false,
      origin: origin.name,
      forkedAt: fork,
      createdAt: at,
      syncWithGit: row.syncWithGit,
      hasSchemaChanges: false,
    };
    return {
      value: branch,
      standsAlone: true,
      publish: () => {
        book.add(row);
        book.addBase(serial, base);
        book.moveHead(serial, at);
        this.#committed = at;
      },
    };
  }

  #runDeleteBranch(name: BranchName, author: Author): JobResult<void> {
    const {book} = this.#context;
    const row = book.byName(name);
    if (row.serial === DEFAULT_SERIAL) throw validationError(`The default branch ${name} cannot be deleted`);
    const children = book.childrenOf(row.serial).map(child => child.name);
    if (children.length > 0) {
      throw constraintViolation(
        `The branch ${name} cannot be deleted while other branches stand on it: ${children.join(', ')}`,
        {branch: name, children},
      );
    }
    const at = this.#nextInstant();
    this.writer.run(change('UPDATE branch SET deleted = ?2 WHERE id = ?1', [row.serial, at]));
    this.writer.run(keepCounter(this.#counters));
    this.writer.run(commitStatement(row.serial, at, 'branch.deleted', author, author.message ?? ''));
    return {
      value: undefined,
      standsAlone: true,
      publish: () => {
        book.remove(row);
        this.#committed = at;
      },
    };
  }

  /** Removes the rows of deleted branches, a bounded step at a time between the writes of others. */
  #purgeLeaving(): void {
    const {leaving} = this.#context.book;
    if (this.#purging !== undefined || leaving.size === 0) return;
    const purge = async () => {
      for (const branch of leaving) {
        let isDone = false;
        while (!isDone && !this.#isClosing) {
          isDone = await this.#queue.add<boolean>({
            run: async () => ({value: this.writer.drive(purgeStep(branch))}),
            undo: () => undefined,
          });
        }
        if (isDone) leaving.delete(branch);
        else return;
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
    const changed = base === undefined ? undefined : instants.last(serial, this.#committed);
    return book.describe(row, changed !== undefined && changed > book.settledAt(serial));
  }

  /** Time never goes back, whatever the clock does. */
  #nextInstant(): Instant {
    this.#last = Math.max(this.#clock.nowMicros(), this.#last + 1);
    return this.#last as Instant;
  }

  /**
   * What is answered for an instant stays so: commits under way that may fall before it are waited for, and no later
   * one may. The future is not known yet: it reads as now.
   */
  async #fixed(at: Instant): Promise<Instant> {
    if (at <= this.#committed) return at;
    const until = Math.min(at, this.now()) as Instant;
    await this.#queue.underway;
    return until;
  }

  #undo(before: Counters): void {
    Object.assign(this.#counters, before);
    if (this.#context.names.isUnsettled) this.writer.drive(this.#context.names.reload());
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
  const lock = holdFolder(options.folder);
  try {
    const now = options.clock.nowMicros() as Instant;
    const defaultBranch = options.defaultBranch ?? ('main' as BranchName);
    const {connection: writer, identity, isNew} = openDatabase(options.folder, defaultBranch, now);
    const reader = new Connection(databasePath(options.folder), {readOnly: true});
    return new SqliteGraphStore(options, {lock, writer, reader, identity, isNew});
  } catch (error) {
    lock.close();
    throw error;
  }
}
