import {once} from 'node:events';
import {onTestFinished} from 'vitest';
import {WebSocket} from 'ws';

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape.
export type Message = any;

/** A socket that keeps what it is told, for tests that speak the protocol themselves. */
export class SocketClient {
  readonly ws: WebSocket;
  readonly messages: Message[] = [];
  closed: {readonly code: number; readonly reason: string} | undefined;
  #taken = 0;
  #wake: (() => void)[] = [];

  constructor(url: string, protocol: string | undefined, headers: Readonly<Record<string, string>> = {}) {
    this.ws =
      protocol === undefined ? new WebSocket(url, {headers}) : new WebSocket(url, protocol, {headers});
    this.ws.on('message', data => {
      this.messages.push(JSON.parse(String(data as Buffer)));
      this.#tell();
    });
    this.ws.on('close', (code, reason) => {
      this.closed = {code, reason: String(reason)};
      this.#tell();
    });
    this.ws.on('error', () => undefined);
    onTestFinished(() => this.ws.terminate());
  }

  async opened(): Promise<this> {
    if (this.ws.readyState !== WebSocket.OPEN) await once(this.ws, 'open');
    return this;
  }

  send(message: unknown): void {
    this.ws.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  /** The next message; fails when the socket closes before it. */
  async next(): Promise<Message> {
    while (this.#taken >= this.messages.length) {
      if (this.closed !== undefined) throw new Error(`closed: ${JSON.stringify(this.closed)}`);
      await this.#changed();
    }
    this.#taken += 1;
    return this.messages[this.#taken - 1];
  }

  async take(count: number): Promise<Message[]> {
    const messages: Message[] = [];
    while (messages.length < count) messages.push(await this.next());
    return messages;
  }

  async ended(): Promise<{readonly code: number; readonly reason: string}> {
    while (this.closed === undefined) await this.#changed();
    return this.closed;
  }

  /** Nothing was told that was not taken. */
  get left(): readonly Message[] {
    return this.messages.slice(this.#taken);
  }

  #changed(): Promise<void> {
    return new Promise(resolve => this.#wake.push(resolve));
  }

  #tell(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

/** The answer to a handshake that was refused. */
export async function refusedHandshake(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{readonly status: number; readonly body: Message}> {
  const ws = new WebSocket(url, 'graphql-ws', {headers});
  ws.on('error', () => undefined);
  const [, response] = (await once(ws, 'unexpected-response')) as [
    unknown,
    import('node:http').IncomingMessage,
  ];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return {status: response.statusCode ?? 0, body: JSON.parse(text)};
}
