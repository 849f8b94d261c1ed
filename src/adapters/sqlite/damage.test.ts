import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {Json} from '../../base/json.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import {
  ALL_KINDS,
  chosen,
  freshId,
  MAIN,
  putKinds,
  SERVICE,
  TickingClock,
} from '../../ports/graph-store-fixtures.ts';
import {databasePath} from './data-file.ts';
import {StoreRefused} from './sqlite-error.ts';
import type {SqliteGraphStore} from './sqlite-graph-store.ts';
import {openSqliteGraphStore} from './sqlite-graph-store.ts';

const PAGE_BYTES = 4096;
const DEVICES = 120;

let root: string;
let whole: string;
let copies = 0;
const devices: NodeId[] = [];

const open = (folder: string) => openSqliteGraphStore({folder, clock: new TickingClock(), readWorkers: 0});

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'trellis-damage-'));
  whole = mkdtempSync(join(root, 'whole-'));
  const store = await open(whole);
  await putKinds(store, MAIN, ...ALL_KINDS);
  await store.write(MAIN, SERVICE, async draft => {
    const site = freshId();
    await draft.create({id: site, kind: 'TestSite', attributes: chosen({name: 'bern'})});
    for (let index = 0; index < DEVICES; index += 1) {
      const id = freshId();
      devices.push(id);
      const values = {name: `device-${index}`, role: 'leaf', status: `status of device ${index}`};
      await draft.create({id, kind: 'TestDevice', attributes: chosen(values)});
      await draft.link({node: id, relationship: 'site', peer: site});
    }
  });
  await store.write(MAIN, SERVICE, async draft => {
    for (const id of devices.slice(0, 40)) await draft.update(id, chosen({role: 'spine'}));
  });
  await store.close();
});

afterAll(() => rmSync(root, {recursive: true, force: true}));

/** A copy of the folder whose database is changed on the disk. */
function damaged(change: (bytes: Buffer) => void): string {
  copies += 1;
  const folder = join(root, `copy-${copies}`);
  cpSync(whole, folder, {recursive: true});
  const bytes = readFileSync(databasePath(folder));
  change(bytes);
  writeFileSync(databasePath(folder), bytes);
  return folder;
}

type Ask = (snapshot: Snapshot) => Promise<Json>;

const questions: readonly Ask[] = [
  async snapshot =>
    (await snapshot.nodes(devices)).map(node =>
      node === undefined ? null : [node.value('name'), node.value('status')],
    ),
  async snapshot => {
    const page = await snapshot.query({kind: 'TestSite', include: [{relationship: 'devices', count: true}]});
    return page.found.map(({included}) => included[0]!.found.map(({node}) => node.value('name')));
  },
];

/** What a store answers, or `undefined` where it says that it cannot. Any other failure is ours. */
async function answers(store: SqliteGraphStore): Promise<(Json | undefined)[]> {
  const results: (Json | undefined)[] = [];
  for (const ask of questions) {
    try {
      results.push(await ask(await store.snapshot({branch: MAIN})));
    } catch (error) {
      expect(error).toBeInstanceOf(ServiceError);
      expect((error as ServiceError).code).toBe('UNAVAILABLE');
      expect((error as ServiceError).message).toMatch(/damaged/);
      results.push(undefined);
    }
  }
  return results;
}

describe('a page of the database that was overwritten', () => {
  const garbage = (bytes: Buffer) => {
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = (index * 131 + 7) % 251;
  };
  const ways: Readonly<Record<string, readonly [from: number, write: (bytes: Buffer) => void]>> = {
    'with other bytes': [0, garbage],
    'with zeros': [0, bytes => void bytes.fill(0)],
    'in its second half': [PAGE_BYTES / 2, garbage],
  };

  test.each(Object.keys(ways))('%s is named, and never answers for the data', async way => {
    const [from, write] = ways[way]!;
    const store = await open(whole);
    const expected = await answers(store);
    await store.close();
    const pages = readFileSync(databasePath(whole)).length / PAGE_BYTES;
    expect(pages).toBeGreaterThan(20);
    for (let page = 0; page < pages; page += 1) {
      let wasUsed = false;
      const folder = damaged(bytes => {
        const part = bytes.subarray(page * PAGE_BYTES + from, (page + 1) * PAGE_BYTES);
        wasUsed = part.some(byte => byte !== 0);
        write(part);
      });
      const opened = await open(folder).catch((error: unknown) => error as Error);
      if (opened instanceof Error) {
        expect(opened, opened.stack).toBeInstanceOf(StoreRefused);
        expect(opened.message).toMatch(/damaged|not a database|another program/);
        continue;
      }
      const {problems} = await opened.verify();
      expect(problems.length > 0, `page ${page} is named`).toBe(wasUsed);
      for (const [index, answer] of (await answers(opened)).entries()) {
        if (answer !== undefined || !wasUsed) expect(answer).toEqual(expected[index]);
      }
      await opened.close();
    }
  });
});

describe('a byte of a document that was changed on the disk', () => {
  const status = `status of device ${DEVICES - 1}`;
  const flip = (bytes: Buffer) => {
    const place = bytes.indexOf(status);
    expect(place).toBeGreaterThan(0);
    bytes.write('S', place);
  };

  test('fails the read of that object with a clear sentence, and no other', async () => {
    const store = await open(damaged(flip));
    const snapshot = await store.snapshot({branch: MAIN});
    await expect(snapshot.node(devices.at(-1)!)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/Version \d+ is damaged on disk: its checksum does not match/),
    });
    expect((await snapshot.node(devices[0]!))?.value('name')).toBe('device-0');
    await store.close();
  });

  test('is named by verify', async () => {
    const store = await open(damaged(flip));
    const {problems} = await store.verify();
    expect(problems.join('\n')).toMatch(/Version \d+ is damaged on disk/);
    await store.close();
  });

  test('that makes it no JSON at all fails filters over it with a clear sentence', async () => {
    const store = await open(damaged(bytes => void bytes.write('"', bytes.indexOf(status) + 3)));
    const snapshot = await store.snapshot({branch: MAIN});
    const where = {is: 'attribute', attribute: 'status', property: 'value', test: {op: 'isNull'}} as const;
    await expect(async () => snapshot.query({kind: 'TestDevice', where})).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The database is damaged; restore it from a backup.',
    });
    await store.close();
  });
});
