import {type ChildProcessByStdio, spawn} from 'node:child_process';
import type {Readable, Writable} from 'node:stream';
import type {Json} from '../../base/json.ts';
import {TransformFailure} from '../../ports/transform-runner.ts';

export interface PythonCommand {
  readonly program: string;
  readonly args: readonly string[];
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const HEAD_BYTES = 4;
const MESSAGE_BYTES_MAX = 128 * 1024 * 1024;
const SAID_MAX = 8192;

/** A Python process that answers messages, one at a time. After any failure it is over. */
export class PythonProcess {
  readonly #child: Child;
  #received: Buffer[] = [];
  #receivedBytes = 0;
  #said = '';
  #end: string | undefined;
  #wake: (() => void) | undefined;
  readonly ended: Promise<void>;

  constructor({program, args}: PythonCommand) {
    this.#child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that whatever it starts ends with it; and none of our environment, which has secrets.
      detached: true,
      env: {LANG: 'C.UTF-8', PATH: '/usr/local/bin:/usr/bin:/bin'},
    });
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.on('data', (part: Buffer) => {
      this.#received.push(part);
      this.#receivedBytes += part.byteLength;
      this.#wake?.();
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#said = `${this.#said}${text}`.slice(-SAID_MAX);
    });
    const {promise, resolve} = Promise.withResolvers<void>();
    this.ended = promise;
    const over = (why: string) => {
      this.#end ??= why;
      this.#wake?.();
      resolve();
    };
    this.#child.once('error', error => over(error.message));
    this.#child.once('close', (code, signal) =>
      over(signal === null ? `exit code ${code}` : `signal ${signal}`),
    );
  }

  get isOver(): boolean {
    return this.#end !== undefined;
  }

  /** What it printed last. */
  get said(): string {
    return this.#said.trim();
  }

  send(message: Json): void {
    const body = Buffer.from(JSON.stringify(message));
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32BE(body.byteLength);
    this.#child.stdin.write(head);
    this.#child.stdin.write(body);
  }

  /** The next message from it. A process that is late, talks too much or dies is ended. */
  async receive(millisMax: number): Promise<Json> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wake?.();
    }, millisMax);
    try {
      for (;;) {
        const message = this.#take();
        if (message !== undefined) return message;
        if (isLate) throw new TransformFailure('timeout', `it did not finish within ${millisMax / 1000} s`);
        if (this.#end !== undefined) throw this.#crash(this.#end);
        await new Promise<void>(resolve => {
          this.#wake = resolve;
        });
      }
    } catch (error) {
      this.kill();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#wake = undefined;
    }
  }

  kill(): void {
    if (this.#child.pid === undefined || this.#end !== undefined) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself meanwhile.
    }
  }

  #take(): Json | undefined {
    if (this.#receivedBytes < HEAD_BYTES) return undefined;
    if (this.#received.length > 1 && this.#received[0]!.byteLength < HEAD_BYTES) this.#join();
    const length = this.#received[0]!.readUInt32BE();
    if (length > MESSAGE_BYTES_MAX) {
      throw new TransformFailure('memory', `its result is larger than ${MESSAGE_BYTES_MAX} bytes`);
    }
    if (this.#receivedBytes < HEAD_BYTES + length) return undefined;
    this.#join();
    const all = this.#received[0]!;
    const rest = all.subarray(HEAD_BYTES + length);
    this.#received = rest.byteLength === 0 ? [] : [rest];
    this.#receivedBytes = rest.byteLength;
    return JSON.parse(all.toString('utf8', HEAD_BYTES, HEAD_BYTES + length)) as Json;
  }

  #join(): void {
    if (this.#received.length > 1) this.#received = [Buffer.concat(this.#received, this.#receivedBytes)];
  }

  #crash(end: string): TransformFailure {
    const said = this.said === '' ? '' : `: ${this.said}`;
    return new TransformFailure('crash', `its process ended with ${end}${said}`);
  }
}
