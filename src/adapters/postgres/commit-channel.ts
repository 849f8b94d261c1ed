import {setTimeout as wait} from 'node:timers/promises';
import type {ConnectionOptions} from './pg-connection.ts';
import {PgConnection} from './pg-connection.ts';

const PAUSE_MILLIS_MIN = 50;
const PAUSE_MILLIS_MAX = 2000;

export interface ChannelNews {
  readonly channel: string;
  readonly payload: string;
}

/**
 * Hears of commits on other servers. It only wakes: what has happened stands in the log, so when it is lost, readers
 * look at the log themselves until it is back.
 */
export class CommitChannel {
  readonly #options: ConnectionOptions;
  readonly #channels: readonly string[];
  readonly #onNews: (news: ChannelNews | undefined) => void;
  #connection: PgConnection | undefined;
  #problem: Error | undefined = new Error('the channel is not open yet');
  #isClosed = false;
  #connecting: Promise<void> | undefined;

  /** Called without news when the channel is open again: anything may have been missed. */
  constructor(
    options: ConnectionOptions,
    channels: readonly string[],
    onNews: (news: ChannelNews | undefined) => void,
  ) {
    this.#options = options;
    this.#channels = channels;
    this.#onNews = onNews;
  }

  /** Why nothing is heard; undefined while all is well. */
  get problem(): Error | undefined {
    return this.#problem;
  }

  async open(): Promise<void> {
    const connection = await PgConnection.open({
      ...this.#options,
      onNotice: (channel, payload) => this.#onNews({channel, payload}),
      onLost: error => this.#lost(error),
    });
    this.#connection = connection;
    for (const channel of this.#channels) await connection.exec(`LISTEN ${channel}`);
    this.#problem = undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connection?.close();
    await this.#connecting;
  }

  #lost(error: Error): void {
    this.#problem ??= error;
    if (!this.#isClosed) this.#connecting ??= this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    let pause = PAUSE_MILLIS_MIN;
    while (!this.#isClosed && this.#problem !== undefined) {
      try {
        await this.open();
        this.#onNews(undefined);
      } catch (error) {
        this.#problem = error as Error;
        await wait(pause, undefined, {ref: false});
        pause = Math.min(pause * 2, PAUSE_MILLIS_MAX);
      }
    }
    this.#connecting = undefined;
  }
}
