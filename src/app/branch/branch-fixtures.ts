import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {ThreadedPlanner} from '../../adapters/schema-planner/threaded-planner.ts';
import {openTestStore} from '../../adapters/test-store-harness.ts';
import {FULL_ACCESS} from '../../domain/access/access.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {freshId, TickingClock} from '../../ports/graph-store-fixtures.ts';
import type {MergeStore} from '../../ports/merge-store.ts';
import type {Caller} from '../caller.ts';
import {prepareGraph} from '../first-start/prepare-graph.ts';
import {createNode} from '../node/create-node.ts';
import {deleteNode} from '../node/delete-node.ts';
import type {RelatedInput} from '../node/node-input.ts';
import {updateNode} from '../node/update-node.ts';
import {input} from '../node/world-fixtures.ts';
import {loadSchema} from '../schema/load-schema.ts';
import {processedSchemas} from '../schema/processed-schemas.ts';
import {writing} from '../write.ts';
import {mergeBranch, rebaseBranch} from './merge-branch.ts';
import {revertCommit} from './revert-commit.ts';

export const MAIN = 'main' as BranchName;
export const ADMIN: Caller = {account: null, access: FULL_ACCESS};

export type Links = Readonly<Record<string, RelatedInput | readonly RelatedInput[] | null>>;
export type Values = Readonly<Record<string, string | number | null>>;

export type BranchWorld = Awaited<ReturnType<typeof openBranchWorld>>;

export interface BranchWorldOptions {
  /** Every merge lands in steps, as only large ones do otherwise, and gives others a turn after each. */
  readonly inSteps?: boolean;
  readonly readWorkers?: number;
  /** Called after each commit and each step, with the folder of the store. */
  readonly committed?: (folder: string) => void;
}

/** A real store with a schema, and the verbs by short names. */
export async function openBranchWorld(
  schema: object,
  {inSteps = false, readWorkers = 0, committed}: BranchWorldOptions = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-branch-'));
  const store = await openTestStore({
    folder,
    clock: new TickingClock(),
    readWorkers,
    turnMillis: inSteps ? 0 : undefined,
    ...(committed === undefined ? {} : {watch: {committed: () => committed(folder)}}),
  });
  const planner = new ThreadedPlanner();
  const deps = {
    store,
    merges: inSteps ? asIfLarge(store) : store,
    schemas: processedSchemas(),
    ids: {nodeId: freshId},
    planner,
  };
  await prepareGraph(deps);
  const load = (branch: BranchName, document: object) =>
    loadSchema(deps, ADMIN, {branch, payload: [document]});
  await load(MAIN, schema);
  const on = (branch: BranchName) => ({
    create: async (kind: string, values: Values, links: Links = {}) =>
      (await writing(deps, ADMIN, {branch}, scope => createNode(scope, kind, input(values, links)))).value.id,
    set: (id: NodeId, kind: string, values: Values, links: Links = {}) =>
      writing(deps, ADMIN, {branch}, scope => updateNode(scope, kind, input(values, links, {id}))),
    remove: (id: NodeId, kind: string) =>
      writing(deps, ADMIN, {branch}, scope => deleteNode(scope, kind, {id})),
    node: async (id: NodeId) => (await store.snapshot({branch})).node(id),
    value: async (id: NodeId, name: string) => (await (await store.snapshot({branch})).node(id))?.value(name),
    peers: async (id: NodeId, name: string) =>
      (await (await store.snapshot({branch})).neighbours(id, name)).map(peer => peer.id),
  });
  return {
    store,
    deps,
    load,
    on,
    main: on(MAIN),
    branch: async (name: string, origin = MAIN) =>
      (
        await store.createBranch(
          {name: name as BranchName, origin, description: '', syncWithGit: false},
          {account: null},
        )
      ).name,
    merge: (name: BranchName, isDryRun = false) => mergeBranch(deps, ADMIN, {branch: name, isDryRun}),
    rebase: (name: BranchName, isDryRun = false) => rebaseBranch(deps, ADMIN, {branch: name, isDryRun}),
    revert: (branch: BranchName, commit: Instant, name: string) =>
      revertCommit(deps, ADMIN, {branch, commit, name}),
    problems: async () => (await store.verify()).problems,
    async close() {
      await planner.close();
      await store.close();
      rmSync(folder, {recursive: true, force: true});
    },
  };
}

/** Whatever a branch has done is as much as takes steps to merge. */
const asIfLarge = <S extends MergeStore>(store: S): S =>
  new Proxy(store, {
    get(target, name) {
      if (name === 'distance')
        return async (branch: BranchName) => ({
          ...(await target.distance(branch)),
          touches: Number.MAX_SAFE_INTEGER,
        });
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
