import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll} from 'vitest';
import {openTestStore} from '../../adapters/test-store-harness.ts';
import {assert, must} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import type {Access} from '../../domain/access/access.ts';
import {FULL_ACCESS} from '../../domain/access/access.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {applyDocument} from '../../domain/schema/apply/apply-document.ts';
import {builtinSource} from '../../domain/schema/builtin/builtin-source.ts';
import {parseSchemaDocuments} from '../../domain/schema/parse/parse-documents.ts';
import {processSchema} from '../../domain/schema/process/process-schema.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import type {GraphStore, Snapshot, Written} from '../../ports/graph-store.ts';
import {freshId, TickingClock} from '../../ports/graph-store-fixtures.ts';
import type {Caller} from '../caller.ts';
import {processedSchemas} from '../schema/processed-schemas.ts';
import {recordsOf} from '../schema/schema-records.ts';
import type {WriteScope} from '../write.ts';
import {writing} from '../write.ts';
import type {NodeInput, RelatedInput} from './node-input.ts';

export const ADMIN: Caller = {account: null, access: FULL_ACCESS};

export interface World {
  readonly store: GraphStore;
  readonly schema: Schema;
  /** Runs verbs as one commit on main, and answers what they answer. */
  write<T>(body: (scope: WriteScope) => Promise<T>, caller?: Caller): Promise<T>;
  commit<T>(body: (scope: WriteScope) => Promise<T>, caller?: Caller): Promise<Written<T>>;
  now(): Promise<Snapshot>;
  node(id: NodeId): Promise<NodeRecord>;
  /** The ids of the peers, in no particular order. */
  peers(id: NodeId, relationship: string): Promise<readonly NodeId[]>;
}

/** A store in a folder of its own, with the built-in kinds and those of the document. */
export async function openWorld(document: object): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-verbs-'));
  const store = await openTestStore({folder, clock: new TickingClock(), readWorkers: 0});
  afterAll(async () => {
    await store.close();
    rmSync(folder, {recursive: true, force: true});
  });
  const main = 'main' as BranchName;
  const parsed = parseSchemaDocuments([{version: '1.0', ...document}], ['body', 'schemas']);
  assert(parsed.ok, `the test's document is malformed: ${JSON.stringify(parsed)}`);
  const applied = applyDocument(builtinSource(), parsed.document);
  const processed = processSchema(applied.source);
  const problems = [...applied.problems, ...processed.problems];
  assert(problems.length === 0, `the test's schema is refused: ${JSON.stringify(problems)}`);
  await store.write(main, {account: null}, async draft => {
    for (const record of recordsOf(applied.source, processed.schema).values()) await draft.putKind(record);
  });
  const deps = {store, schemas: processedSchemas(), ids: {nodeId: freshId}};
  const commit: World['commit'] = (body, caller = ADMIN) => writing(deps, caller, {branch: main}, body);
  const now = async () => store.snapshot({branch: main});
  return {
    store,
    schema: processed.schema,
    commit,
    write: async (body, caller) => (await commit(body, caller)).value,
    now,
    node: async id => must(await (await now()).node(id), `the object ${id}`),
    peers: async (id, relationship) => {
      const neighbours = await (await now()).neighbours(id, relationship);
      return neighbours.map(each => each.id);
    },
  };
}

/** An input of plain values and related objects. */
export function input(
  values: Readonly<Record<string, Json>> = {},
  relationships: Readonly<Record<string, RelatedInput | readonly RelatedInput[] | null>> = {},
  rest: {readonly id?: string; readonly hfid?: readonly string[]} = {},
): NodeInput {
  const attributes = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, {value}]));
  return {...rest, attributes, relationships};
}

/** What a verb was refused with. */
export async function refusal(outcome: Promise<unknown>): Promise<ServiceError> {
  try {
    await outcome;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

/** Access to everything but what the rule names. */
export const except = (denies: (need: Parameters<Access['allows']>[0]) => boolean): Access => ({
  allows: need => !denies(need),
});
