import {createWriteStream, renameSync, truncateSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {createJsonLog} from '../../src/adapters/log/pino-log.ts';
import {startService} from '../../src/main/compose.ts';
import {openStore} from '../../src/main/open-store.ts';
import {readSettings} from '../../src/main/settings/read.ts';
import {randomFrom} from './random.ts';
import {readTold, ToldJournal} from './service-journal.ts';
import {GROUP_SIZE, KIND, schemaWith} from './service-things.ts';

const CLIENTS = 4;
const KEY = {'x-service-key': 'the-key-of-admin', 'content-type': 'application/json'};

const [folder, journalPath, seed, round] = process.argv.slice(2) as [string, string, string, string];
const random = randomFrom(Number(seed));
const {settings} = readSettings({
  SERVICE_PORT: '0',
  SERVICE_DATA_DIR: folder,
  SERVICE_INITIAL_ADMIN_TOKEN: 'the-key-of-admin',
});
const log = createJsonLog({level: 'CRITICAL', clock: systemClock, to: process.stderr});
const {address} = await startService(settings, log, openStore);

async function post(path: string, body?: object): Promise<Response> {
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: KEY,
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer;
}

async function graphql(branch: string, query: string, variables: object = {}): Promise<void> {
  const answer = (await (await post(`/graphql/${branch}`, {query, variables})).json()) as {errors?: unknown};
  if (answer.errors !== undefined) throw new Error(JSON.stringify(answer.errors));
}

// The journal may end in the half of a line.
const whole = readTold(journalPath);
if (whole.length > 0)
  truncateSync(journalPath, Buffer.byteLength(`${whole.map(told => JSON.stringify(told)).join('\n')}\n`));
const journal = new ToldJournal(journalPath);
if (whole.length === 0) await post('/api/schema/load', schemaWith([]));

/** One of several clients at once. Its groups and branches are its own. */
class Client {
  readonly #name: string;
  #count = 0;

  constructor(name: string) {
    this.#name = name;
  }

  async workForEver(): Promise<never> {
    for (;;) {
      this.#count += 1;
      await this.#step();
      process.stdout.write('.');
    }
  }

  async #step(): Promise<void> {
    const choice = random(10);
    if (choice < 4) await this.#import('main');
    else if (choice < 7) await this.#branchLife();
    else if (choice < 9) await this.#load();
    else await this.#save();
  }

  async #import(branch: string): Promise<string> {
    const group = `${this.#name}-${this.#count}`;
    const data = Array.from({length: GROUP_SIZE}, (_, index) => ({
      name: {value: `${group}/${index}`},
      group: {value: group},
    }));
    const query = `mutation ($data: [${KIND}CreateInput!]!) { ${KIND}CreateMany(data: $data) { ok } }`;
    await graphql(branch, query, {data});
    journal.note({is: 'imported', branch, group});
    return group;
  }

  async #branchLife(): Promise<void> {
    const branch = `${this.#name}-${this.#count}`;
    const named = (verb: string) => graphql('main', `mutation { ${verb}(data: {name: "${branch}"}) { ok } }`);
    await named('BranchCreate');
    const group = await this.#import(branch);
    if (random(2) === 0) await named('BranchRebase');
    await named('BranchMerge');
    journal.note({is: 'merged', branch, groups: [group]});
    if (random(2) === 0) return;
    journal.note({is: 'deleting', branch});
    await named('BranchDelete');
  }

  async #load(): Promise<void> {
    const attribute = `extra_${this.#name.replaceAll('-', '_')}_${this.#count}`;
    await post('/api/schema/load', schemaWith([attribute]));
    journal.note({is: 'loaded', attribute});
  }

  async #save(): Promise<void> {
    const toldBefore = journal.count;
    const file = join(folder, '..', 'backups', `${this.#name}-${this.#count}.tar`);
    const answer = await post('/api/operations/backup');
    const content = Readable.from(answer.body as unknown as AsyncIterable<Uint8Array>);
    await pipeline(content, createWriteStream(`${file}.part`, {flush: true}));
    renameSync(`${file}.part`, file);
    journal.note({is: 'saved', file, toldBefore});
  }
}

process.stdout.write('ready');
await Promise.all(
  Array.from({length: CLIENTS}, (_, index) => new Client(`r${round}c${index}`).workForEver()),
);
