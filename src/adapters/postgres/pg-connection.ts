import pg from 'pg';
import {assert} from '../../base/assert.ts';
import {validationError} from '../../domain/errors.ts';
import type {CommitFollower} from '../sql/commit-follower.ts';
import type {Row, SqlValue, Statement, Work} from '../sql/statement.ts';
import {blind} from '../sql/statement.ts';
import type {StatementWatch} from '../sqlite/store-watch.ts';
import type {WriteGroup} from './blind-writes.ts';
import {BlindWrites} from './blind-writes.ts';
import type {ColumnTypes} from './many-rows.ts';
import {doubleOf, isConnectionLost, outcomeUnknown} from './postgres-error.ts';
import type {Answer, Call, Prepared} from './statement-batch.ts';
import {StatementBatch} from './statement-batch.ts';

/** Plans of statements take room on the server, in every connection. */
const STATEMENTS_MAX = 400;
/** Blind writes are sent on when there are so many, while more are gathered. */
const BLIND_ROWS_MAX = 2000;

const ONE_CHANGED: readonly Row[] = [[1]];

export interface ConnectionOptions {
  readonly url: string;
  readonly types: ColumnTypes;
  readonly onNotice?: (channel: string, payload: string) => void;
  readonly onLost?: (error: Error) => void;
  /** What one statement may take; for ever when absent. */
  readonly statementMillisMax?: number;
  /** Called after each trip, with the statement that was waited for. */
  readonly watch?: StatementWatch;
}

/**
 * Plans are those that the statements are written for: each table by an index, in the order of the joins. What the
 * planner thinks of a table's size, which changes under it, decides nothing.
 */
const SESSION = [
  '-c join_collapse_limit=1',
  '-c enable_hashjoin=off',
  '-c enable_mergejoin=off',
  '-c enable_seqscan=off',
  '-c enable_bitmapscan=off',
  '-c jit=off',
  '-c plan_cache_mode=force_generic_plan',
  '-c lock_timeout=30000',
  '-c idle_in_transaction_session_timeout=60000',
  '-c default_transaction_isolation=read\\ committed',
].join(' ');

const SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

const SAVEPOINT = 'SAVEPOINT job';

const TEXT_TYPE = 25;

const CONNECT_MILLIS_MAX = 5000;
const KEEP_ALIVE_MILLIS = 10_000;

/** One connection with its prepared statements. It drives the SQL room, and waits only where a result is looked at. */
export class PgConnection {
  readonly #client: pg.Client;
  readonly #statements = new Map<string, Prepared>();
  readonly #blind: BlindWrites;
  #forgotten: Prepared[] = [];
  #names = 0;
  /** The batch on its way; the next one follows it. */
  #underway: Promise<unknown> = Promise.resolve();
  /** What a blind write failed with; everything behind it fails too, until the transaction is taken back. */
  #failure: Error | undefined;
  #lost: Error | undefined;
  readonly #watch: StatementWatch | undefined;

  private constructor(client: pg.Client, {types, onLost, watch}: ConnectionOptions) {
    this.#client = client;
    this.#watch = watch;
    this.#blind = new BlindWrites(types);
    client.on('error', error => {
      this.#lost ??= error;
      onLost?.(error);
    });
    client.on('end', () => {
      this.#lost ??= new Error('Connection terminated');
    });
  }

  static async open(options: ConnectionOptions): Promise<PgConnection> {
    const client = new pg.Client({
      connectionString: options.url,
      options: `${SESSION} -c statement_timeout=${options.statementMillisMax ?? 0}`,
      application_name: 'trellis',
      connectionTimeoutMillis: CONNECT_MILLIS_MAX,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MILLIS,
    });
    const connection = new PgConnection(client, options);
    const {onNotice} = options;
    if (onNotice !== undefined) {
      client.on('notification', ({channel, payload}) => onNotice(channel, payload ?? ''));
    }
    await client.connect();
    return connection;
  }

  /** Why it is of no use any more; undefined while it is. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  /** The rows of a statement, after all blind writes before it. */
  async run(statement: Statement): Promise<readonly Row[]> {
    const own = this.#groupsOf(statement);
    const answers = await this.#send([...this.#blind.take(), ...own]);
    return rowsOf(statement, answers.slice(answers.length - own.length));
  }

  /** Statements without parameters, such as those that begin transactions, and the rows of the last. */
  async exec(...texts: readonly string[]): Promise<readonly Row[]> {
    const groups = texts.map(plain);
    return (await this.#send([...this.#blind.take(), ...groups])).at(-1)!.rows;
  }

  /** Fails when the server has taken the transaction back instead, as it does after a failure that nobody told. */
  async commit(): Promise<void> {
    committed(await this.#send([...this.#blind.take(), plain('COMMIT')]));
  }

  /** Commits, and reads what is there then. */
  async commitAndRead(statement: Statement): Promise<readonly Row[]> {
    const answers = await this.#send([...this.#blind.take(), plain('COMMIT'), grouped(statement)]);
    committed(answers.slice(0, -1));
    return answers.at(-1)!.rows;
  }

  /** Sent with what comes next. */
  later(sql: string): void {
    this.send(blind(sql, []));
  }

  send(statement: Statement): void {
    refuseUnkeepable(statement.params);
    this.#blind.add(statement);
  }

  /** True when something written and not sent yet may be refused. */
  get isDoubtful(): boolean {
    return this.#blind.isDoubtful;
  }

  /** Everything written so far has arrived, and nothing of it was refused. */
  async flush(): Promise<void> {
    await this.#send(this.#blind.take());
  }

  /** Takes the transaction back; what was gathered and not sent is forgotten. */
  async rollback(): Promise<void> {
    this.#blind.clear();
    await this.#underway.catch(() => undefined);
    this.#failure = undefined;
    await this.exec('ROLLBACK');
  }

  /** Sent with what comes next. */
  savepoint(): void {
    this.later(SAVEPOINT);
  }

  /** Takes back everything since the savepoint, which may not even have been sent. */
  async rollbackToSavepoint(): Promise<void> {
    if (this.#blind.cutBefore(SAVEPOINT)) return;
    this.#blind.clear();
    await this.#underway.catch(() => undefined);
    this.#failure = undefined;
    await this.exec('ROLLBACK TO SAVEPOINT job', 'RELEASE SAVEPOINT job');
  }

  releaseSavepoint(): void {
    this.later('RELEASE SAVEPOINT job');
  }

  drive<T>(work: Work<T>, isOver?: () => boolean): Promise<T> {
    return this.#rest(work, work.next([]), isOver);
  }

  async #rest<T>(
    work: Work<T>,
    first: IteratorResult<Statement, T>,
    isOver: () => boolean = never,
  ): Promise<T> {
    let step = first;
    while (step.done !== true) {
      assert(!isOver(), 'a body ends after its steps');
      const statement = step.value;
      if (statement.isBlind) {
        this.send(statement);
        if (this.#blind.rows >= BLIND_ROWS_MAX) await this.#sendOn();
        step = work.next(ONE_CHANGED);
        continue;
      }
      let rows: readonly Row[];
      try {
        rows = await this.run(statement);
      } catch (error) {
        step = work.throw(error);
        continue;
      }
      step = work.next(rows);
    }
    return step.value;
  }

  /**
   * Drives a work in one state of the database, with the follower in step with it: each time before a transaction is
   * there, a look at the log travels along. When others have committed, their news are taken over and the work is made
   * again. A work of one statement needs no transaction.
   */
  async reading<T>(follower: CommitFollower, work: () => Work<T>): Promise<T> {
    const attempt = work();
    let step = attempt.next([]);
    if (step.done === true) return step.value;
    const probe = grouped(follower.probe());
    // The look comes last: whatever is newer by then may have been read.
    const alone = await this.#send([...this.#groupsOf(step.value), probe]);
    const isSame = alone.at(-1)!.rows.length === 0;
    if (isSame) {
      step = attempt.next(rowsOf(step.value, alone.slice(0, -1)));
      if (step.done === true) return step.value;
    }
    try {
      if (isSame) {
        const own = this.#groupsOf(step.value);
        const [, news, ...answers] = await this.#send([plain(SNAPSHOT), probe, ...own]);
        if (news!.rows.length === 0) {
          return await this.#rest(attempt, attempt.next(rowsOf(step.value, answers)));
        }
      } else {
        this.later(SNAPSHOT);
      }
      await this.drive(follower.catchUp());
      return await this.drive(work());
    } finally {
      this.#end();
    }
  }

  /** Drives a work in one state of the database. */
  async snapshot<T>(work: () => Work<T>): Promise<T> {
    this.later(SNAPSHOT);
    try {
      return await this.drive(work());
    } finally {
      this.#end();
    }
  }

  /** Drives a work in a transaction of its own. */
  async transaction<T>(work: () => Work<T>): Promise<T> {
    this.later('BEGIN');
    let value: T;
    try {
      value = await this.drive(work());
      await this.flush();
    } catch (error) {
      await this.rollback().catch(() => undefined);
      throw error;
    }
    try {
      await this.commit();
    } catch (error) {
      throw isConnectionLost(error) ? outcomeUnknown(error) : error;
    }
    return value;
  }

  async close(): Promise<void> {
    this.#lost ??= new Error('the connection is closed');
    await this.#client.end().catch(() => undefined);
  }

  /** Ends a transaction that only read; whoever uses the connection next comes after it. */
  #end(): void {
    this.#blind.clear();
    this.#failure = undefined;
    this.#send([plain('ROLLBACK')]).catch(() => undefined);
  }

  /** Sends blind writes without waiting for them, but not before those sent earlier have arrived. */
  async #sendOn(): Promise<void> {
    await this.#underway.catch(() => undefined);
    this.#send(this.#blind.take()).catch((error: unknown) => {
      this.#failure ??= error as Error;
    });
  }

  #groupsOf(statement: Statement): readonly WriteGroup[] {
    if (statement.lists !== undefined) return this.#blind.each(statement.sql, statement.lists);
    if (statement.all !== undefined) return statement.all.flatMap(each => this.#groupsOf(each));
    refuseUnkeepable(statement.params);
    return [grouped(statement)];
  }

  /** One batch after the other. */
  #send(groups: readonly WriteGroup[]): Promise<readonly Answer[]> {
    const turn = this.#underway.catch(() => undefined).then(() => this.#sendNow(groups));
    this.#underway = turn;
    return turn;
  }

  async #sendNow(groups: readonly WriteGroup[]): Promise<readonly Answer[]> {
    if (this.#failure !== undefined) throw this.#failure;
    const calls = groups.map(
      ({sql, params}): Call => ({prepared: this.#prepare(sql, params.length), values: params}),
    );
    if (calls.length === 0) return [];
    const start = performance.now();
    try {
      return await this.#submit(calls, groups);
    } finally {
      this.#watch?.(groups.at(-1)!, performance.now() - start);
    }
  }

  #submit(calls: readonly Call[], groups: readonly WriteGroup[]): Promise<readonly Answer[]> {
    const forgotten = this.#forgotten;
    this.#forgotten = [];
    return new Promise((resolve, reject) => {
      const batch = new StatementBatch(calls, forgotten, (error, answers) => {
        if (error === undefined) {
          assert(answers.length === calls.length, 'every statement of a batch is answered');
          resolve(answers);
          return;
        }
        // Parsed again under another name.
        for (const {sql} of batch.unsure) this.#statements.delete(sql);
        const refusal = refusalOf(error, groups[answers.length]);
        this.#failure ??= refusal;
        reject(refusal ?? error);
      });
      // Called with what it takes for a query of its own; the types of the driver know only those.
      this.#client.query(batch as unknown as pg.Submittable);
    });
  }

  #prepare(sql: string, parameters: number): Prepared {
    const known = this.#statements.get(sql);
    if (known !== undefined) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    if (this.#statements.size >= STATEMENTS_MAX) this.#forgetOldest();
    this.#names += 1;
    const used = new Set<number>();
    const text = sql.replace(/\?(\d+)/g, (_, place: string) => {
      used.add(Number(place));
      return `$${place}`;
    });
    // A parameter that nothing uses has no type that the server could see.
    const types = Array.from({length: parameters}, (_, place) => (used.has(place + 1) ? 0 : TEXT_TYPE));
    const prepared: Prepared = {name: `s${this.#names}`, sql, text, types, isParsed: false, columns: []};
    this.#statements.set(sql, prepared);
    return prepared;
  }

  /** The one that was called for the longest time ago. */
  #forgetOldest(): void {
    const [first] = this.#statements.values();
    this.#statements.delete(first!.sql);
    if (first!.isParsed) this.#forgotten.push(first!);
  }
}

function committed(answers: readonly Answer[]): void {
  if (answers.at(-1)?.tag !== 'COMMIT') throw new Error('the transaction was taken back by the server');
}

const never = () => false;
const plain = (sql: string): WriteGroup => ({sql, params: [], refusal: undefined});
const grouped = ({sql, params}: Statement): WriteGroup => ({sql, params, refusal: undefined});

/** What the room gets for a statement, from the answers to all that was sent for it. */
function rowsOf({lists, all, writes}: Statement, answers: readonly Answer[]): readonly Row[] {
  if (lists !== undefined) return [[answers.reduce((sum, answer) => sum + answer.count, 0)]];
  if (all !== undefined) return answers.map(answer => answer.rows) as unknown as readonly Row[];
  const [answer] = answers;
  return writes ? [[answer!.count]] : answer!.rows;
}

/** What a row that is there already means to whoever wanted to make it. */
function refusalOf(error: Error, group: WriteGroup | undefined): Error | undefined {
  const value = doubleOf(error);
  return value === undefined ? undefined : group?.refusal?.(value);
}

function refuseUnkeepable(params: readonly SqlValue[]): void {
  for (const value of params) {
    if (typeof value === 'string' && value.includes('\u0000')) {
      throw validationError('A text holds the character U+0000, which PostgreSQL cannot keep.');
    }
  }
}
