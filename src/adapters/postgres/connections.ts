import {unavailable} from '../../domain/errors.ts';
import type {ConnectionOptions} from './pg-connection.ts';
import {PgConnection} from './pg-connection.ts';

const WAITING_MAX = 10_000;

/** Connections for reads: opened when they are needed, at most so many, each used by one reader at a time. */
export class Connections {
  readonly #options: ConnectionOptions;
  readonly #connectionsMax: number;
  readonly #idle: PgConnection[] = [];
  readonly #waiting: {
    readonly resolve: (connection: PgConnection | undefined) => void;
  }[] = [];
  #open = 0;
  #isClosed = false;

  constructor(options: ConnectionOptions, connectionsMax: number) {
    this.#options = options;
    this.#connectionsMax = connectionsMax;
  }

  /** Reads that have no connection yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  async use<T>(body: (connection: PgConnection) => Promise<T>): Promise<T> {
    const connection = await this.#take();
    try {
      return await body(connection);
    } finally {
      this.#give(connection);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map(connection => connection.close()));
  }

  async #take(): Promise<PgConnection> {
    for (;;) {
      const idle = this.#idle.pop();
      if (idle === undefined) break;
      if (idle.lost === undefined) return idle;
      this.#open -= 1;
    }
    if (this.#open < this.#connectionsMax) return this.#connect();
    if (this.#waiting.length >= WAITING_MAX) throw unavailable('Too many reads wait for the database.');
    const given = await new Promise<PgConnection | undefined>(resolve => this.#waiting.push({resolve}));
    return given ?? this.#connect();
  }

  async #connect(): Promise<PgConnection> {
    this.#open += 1;
    try {
      return await PgConnection.open(this.#options);
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #give(connection: PgConnection): void {
    if (connection.lost !== undefined || this.#isClosed) {
      void connection.close();
      this.#release();
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(connection);
    else next.resolve(connection);
  }

  /** One place is free: whoever waits opens a connection of its own. */
  #release(): void {
    this.#open -= 1;
    this.#waiting.shift()?.resolve(undefined);
  }
}
