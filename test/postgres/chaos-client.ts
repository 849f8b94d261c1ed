import {setTimeout as wait} from 'node:timers/promises';
import type {RegisterOperation} from './linear-register.ts';
import type {Insert} from './unique-inserts.ts';

export const ADMIN_KEY = 'the-key-of-admin';
export const REGISTER = 'register';
export const FIRST_VALUE = 'first';

const VALUES = 400;
const PAUSE_MILLIS = 30;
const REQUEST_MILLIS_MAX = 30_000;
const UNDONE = /nothing was written|the store is closed|too many writes wait/i;

/** A task that was acknowledged, and the branch that it makes or merges. */
export interface ToldTask {
  readonly id: string;
  readonly branch: string;
  readonly does: 'create' | 'merge';
}

/** All that the clients asked and were told. */
export class Journal {
  readonly register: RegisterOperation[] = [];
  readonly inserts: Insert[] = [];
  readonly tasks: ToldTask[] = [];
  readonly surprises: string[] = [];
  /** Objects that were acknowledged on a branch. */
  readonly onBranches: {readonly branch: string; readonly name: string}[] = [];
  told = 0;
  readonly #onTold: () => void;

  constructor(onTold: () => void) {
    this.#onTold = onTold;
  }

  tell(): void {
    this.told += 1;
    this.#onTold();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers have every shape.
type Loose = any;

export type Answer =
  | {readonly is: 'done'; readonly data: Loose}
  /** The service said no, or that nothing was done. */
  | {readonly is: 'refused'; readonly code: string; readonly message: string}
  | {readonly is: 'undone'}
  | {readonly is: 'unknown'};

/** One question to one server, which may be gone. */
export async function ask(address: string, query: string, branch = 'main'): Promise<Answer> {
  let body: Loose;
  try {
    const answer = await fetch(`${address}/graphql/${branch}`, {
      method: 'POST',
      headers: {'content-type': 'application/json', 'x-service-key': ADMIN_KEY},
      body: JSON.stringify({query}),
      signal: AbortSignal.timeout(REQUEST_MILLIS_MAX),
    });
    body = await answer.json();
  } catch (error) {
    const {cause} = error as {cause?: {code?: string}};
    return {is: cause?.code === 'ECONNREFUSED' ? 'undone' : 'unknown'};
  }
  const [error] = body.errors ?? [];
  if (error === undefined) return {is: 'done', data: body.data};
  const {message, extensions} = error;
  if (extensions?.code !== 'UNAVAILABLE') return {is: 'refused', code: extensions?.code, message};
  return {is: UNDONE.test(message) ? 'undone' : 'unknown'};
}

export interface ChaosClients {
  readonly journal: Journal;
  /** The address of any server, at random. */
  readonly anyServer: () => string;
  readonly random: (bound: number) => number;
  readonly isOver: () => boolean;
}

/** Makes objects that compete for few values, writes and reads one register, and has branches made and merged by tasks. */
export class ChaosClient {
  readonly #clients: ChaosClients;
  readonly #name: string;
  #count = 0;

  constructor(clients: ChaosClients, name: string) {
    this.#clients = clients;
    this.#name = name;
  }

  async insertUntilOver(): Promise<void> {
    const {random, journal} = this.#clients;
    while (!this.#clients.isOver()) {
      const value = `v${random(VALUES)}`;
      const id = this.#next();
      const began = performance.now();
      const answer = await this.#ask(
        `mutation { BuiltinTagCreate(data: {name: {value: "${value}"}, description: {value: "${id}"}}) { ok } }`,
      );
      const ended = answer.is === 'unknown' ? Infinity : performance.now();
      journal.inserts.push({id, value, began, ended, outcome: this.#insertOutcome(answer)});
    }
  }

  async writeUntilOver(register: string): Promise<void> {
    const {journal} = this.#clients;
    while (!this.#clients.isOver()) {
      const value = this.#next();
      const began = performance.now();
      const answer = await this.#ask(
        `mutation { BuiltinTagUpdate(data: {id: "${register}", description: {value: "${value}"}}) { ok } }`,
      );
      if (answer.is === 'undone' || answer.is === 'refused') continue;
      const ended = answer.is === 'unknown' ? Infinity : performance.now();
      journal.register.push({is: 'write', value, began, ended});
    }
  }

  async readUntilOver(register: string): Promise<void> {
    const {journal} = this.#clients;
    while (!this.#clients.isOver()) {
      const began = performance.now();
      const answer = await this.#ask(
        `{ BuiltinTag(ids: ["${register}"]) { edges { node { description { value } } } } }`,
      );
      if (answer.is !== 'done') continue;
      const {value} = answer.data.BuiltinTag.edges[0].node.description;
      journal.register.push({is: 'read', value, began, ended: performance.now()});
    }
  }

  async branchUntilOver(): Promise<void> {
    while (!this.#clients.isOver()) {
      const branch = this.#next();
      if (!(await this.#queued(branch, 'create')) || !(await this.#isThere(branch))) continue;
      const name = `on ${branch}`;
      const made = await this.#ask(
        `mutation { BuiltinTagCreate(data: {name: {value: "${name}"}}) { ok } }`,
        branch,
      );
      if (made.is === 'done') this.#clients.journal.onBranches.push({branch, name});
      if (made.is !== 'undone') await this.#queued(branch, 'merge');
    }
  }

  /** True when the work was acknowledged: a task does it. */
  async #queued(branch: string, does: ToldTask['does']): Promise<boolean> {
    const verb = does === 'create' ? 'BranchCreate' : 'BranchMerge';
    const query = `mutation { ${verb}(data: {name: "${branch}"}, wait_until_completion: false) { task { id } } }`;
    const answer = await this.#ask(query);
    if (answer.is === 'done') this.#clients.journal.tasks.push({id: answer.data[verb].task.id, branch, does});
    return answer.is === 'done';
  }

  async #isThere(branch: string): Promise<boolean> {
    while (!this.#clients.isOver()) {
      const answer = await this.#ask(`{ Branch(name: "${branch}") { name } }`);
      if (answer.is === 'done' && answer.data.Branch.length === 1) return true;
      await wait(PAUSE_MILLIS);
    }
    return false;
  }

  #insertOutcome(answer: Answer): Insert['outcome'] {
    if (answer.is === 'done') return 'made';
    return answer.is === 'refused' ? 'taken' : answer.is;
  }

  async #ask(query: string, branch?: string): Promise<Answer> {
    const {journal, anyServer} = this.#clients;
    const answer = await ask(anyServer(), query, branch);
    if (answer.is === 'done') journal.tell();
    else if (answer.is !== 'refused') await wait(PAUSE_MILLIS);
    else if (answer.code !== 'CONSTRAINT_VIOLATION')
      journal.surprises.push(`${query}: ${answer.code} ${answer.message}`);
    return answer;
  }

  #next(): string {
    this.#count += 1;
    return `${this.#name}-${this.#count}`;
  }
}
