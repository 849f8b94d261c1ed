import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll} from 'vitest';
import {ThreadedPlanner} from '../../src/adapters/schema-planner/threaded-planner.ts';
import {openTestStore} from '../../src/adapters/test-store-harness.ts';
import type {Caller} from '../../src/app/caller.ts';
import {prepareGraph} from '../../src/app/first-start/prepare-graph.ts';
import {processedSchemas} from '../../src/app/schema/processed-schemas.ts';
import type {Json} from '../../src/base/json.ts';
import {FULL_ACCESS} from '../../src/domain/access/access.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import type {Draft} from '../../src/ports/graph-store.ts';
import {schemaRoutes} from '../../src/wire/rest/schema-routes.ts';
import {NOON, openServer} from './open-server.ts';

export const MAIN = 'main' as BranchName;
export const SERVICE: Caller = {account: null, access: FULL_ACCESS};

let lastId = 0;

export function freshId(): NodeId {
  lastId += 1;
  return `00000000-0000-4000-8000-${String(lastId).padStart(12, '0')}` as NodeId;
}

export type SchemaWorld = Awaited<ReturnType<typeof openWorld>>;

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A real store with the built-in kinds, behind the schema endpoints. */
export async function openWorld(options: {caller?: Caller; bodyBytesMax?: number} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-schema-'));
  let now = NOON;
  const clock = {
    nowMicros() {
      now += 1000;
      return now;
    },
  };
  const store = await openTestStore({folder, clock, readWorkers: 0});
  const planner = new ThreadedPlanner();
  const deps = {store, schemas: processedSchemas(), ids: {nodeId: freshId}, planner};
  await prepareGraph(deps);
  const routes = schemaRoutes(deps, async () => options.caller ?? SERVICE);
  const {server, lines} = await openServer({
    routes: [...routes],
    bodyBytesMax: options.bodyBytesMax ?? 11_000_000,
  });
  afterAll(async () => {
    await server.close();
    await planner.close();
    await store.close();
    rmSync(folder, {recursive: true, force: true});
  });

  async function ask(
    method: 'GET' | 'POST',
    url: string,
    payload?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await server.inject({
      method,
      url,
      headers,
      ...(payload === undefined ? {} : {payload: payload as object}),
    });
    const text = answer.body;
    return {
      status: answer.statusCode,
      body: text === '' ? undefined : JSON.parse(text),
      headers: answer.headers,
      text,
    };
  }

  const schemas = (roots: readonly object[]) => ({schemas: roots.map(root => ({version: '1.0', ...root}))});

  async function commit<T>(body: (draft: Draft) => Promise<T>, branch: BranchName = MAIN): Promise<T> {
    return (await store.write(branch, {account: null}, body)).value;
  }

  return {
    store,
    server,
    deps,
    lines,
    ask,
    commit,
    get: (url: string, headers?: Record<string, string>) => ask('GET', url, undefined, headers),
    load: (root: object, branch: string = MAIN) =>
      ask('POST', `/api/schema/load?branch=${encodeURIComponent(branch)}`, schemas([root])),
    check: (root: object, branch: string = MAIN) =>
      ask('POST', `/api/schema/check?branch=${encodeURIComponent(branch)}`, schemas([root])),
    async branch(name: string, origin: BranchName = MAIN): Promise<BranchName> {
      const request = {name: name as BranchName, origin, description: '', syncWithGit: false};
      return (await store.createBranch(request, {account: null})).name;
    },
    async create(
      kind: string,
      values: Readonly<Record<string, Json>>,
      {
        on = MAIN,
        links = {},
      }: {on?: BranchName; links?: Readonly<Record<string, NodeId | readonly NodeId[]>>} = {},
    ): Promise<NodeId> {
      const id = freshId();
      const attributes = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, {value}]));
      await commit(async draft => {
        await draft.create({id, kind, attributes});
        for (const [relationship, peers] of Object.entries(links)) {
          for (const peer of [peers].flat()) await draft.link({node: id, relationship, peer: peer});
        }
      }, on);
      return id;
    },
    async node(id: NodeId, branch: BranchName = MAIN) {
      return (await store.snapshot({branch})).node(id);
    },
    async value(id: NodeId, attribute: string, branch: BranchName = MAIN): Promise<Json | undefined> {
      const node = await (await store.snapshot({branch})).node(id);
      return node?.attribute(attribute)?.value;
    },
    async peers(id: NodeId, relationship: string, branch: BranchName = MAIN): Promise<readonly NodeId[]> {
      const neighbours = await (await store.snapshot({branch})).neighbours(id, relationship);
      return neighbours.map(neighbour => neighbour.id);
    },
    async hash(branch: string = MAIN): Promise<string> {
      return (await ask('GET', `/api/schema/summary?branch=${encodeURIComponent(branch)}`)).body.main;
    },
    async problems(): Promise<readonly string[]> {
      return (await store.verify()).problems;
    },
  };
}

export const kind = (name: string, rest: object = {}) => ({namespace: 'Infra', name, ...rest});
export const text = (name: string, rest: object = {}) => ({name, kind: 'Text', ...rest});
export const number = (name: string, rest: object = {}) => ({name, kind: 'Number', ...rest});
