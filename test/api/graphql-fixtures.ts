import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createJsonLog} from '../../src/adapters/log/pino-log.ts';
import type {SqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import {openTestStore} from '../../src/adapters/test-store-harness.ts';
import {BRANCH_WORKFLOWS} from '../../src/app/branch/branch-workflows.ts';
import type {Caller} from '../../src/app/caller.ts';
import {processedSchemas} from '../../src/app/schema/processed-schemas.ts';
import {recordsOf} from '../../src/app/schema/schema-records.ts';
import {assert} from '../../src/base/assert.ts';
import {FULL_ACCESS} from '../../src/domain/access/access.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import type {NodeId} from '../../src/domain/graph/node-id.ts';
import {applyDocument} from '../../src/domain/schema/apply/apply-document.ts';
import {builtinSource} from '../../src/domain/schema/builtin/builtin-source.ts';
import {parseSchemaDocuments} from '../../src/domain/schema/parse/parse-documents.ts';
import {processSchema} from '../../src/domain/schema/process/process-schema.ts';
import {TickingClock} from '../../src/ports/graph-store-fixtures.ts';
import {branchRootFields} from '../../src/wire/graphql/branch/branch-root-fields.ts';
import type {GraphqlServices} from '../../src/wire/graphql/engine.ts';
import {GRAPHQL_LIMITS, type GraphqlLimits} from '../../src/wire/graphql/limits.ts';
import {taskFields} from '../../src/wire/graphql/task/task-fields.ts';
import {addGraphql} from '../../src/wire/graphql/transport/graphql-routes.ts';
import {openServer} from './open-server.ts';

const DATA_CHANGING = BRANCH_WORKFLOWS.filter(flow => flow.changesData).map(flow => flow.name);

/** Devices with interfaces, at sites in a hierarchy; an attribute of nearly every kind. */
export const NETWORK = {
  generics: [
    {
      namespace: 'Infra',
      name: 'Endpoint',
      attributes: [
        {name: 'name', kind: 'Text'},
        {name: 'description', kind: 'Text', optional: true},
      ],
    },
    {
      namespace: 'Location',
      name: 'Generic',
      hierarchical: true,
      human_friendly_id: ['name__value'],
      default_filter: 'name__value',
      display_labels: ['name__value'],
      order_by: ['name__value'],
      attributes: [{name: 'name', kind: 'Text', unique: true}],
    },
  ],
  nodes: [
    {
      namespace: 'Infra',
      name: 'Device',
      inherit_from: ['InfraEndpoint'],
      human_friendly_id: ['name__value'],
      default_filter: 'name__value',
      display_labels: ['name__value', 'status__value'],
      order_by: ['name__value'],
      uniqueness_constraints: [['name__value']],
      attributes: [
        {name: 'name', kind: 'Text', unique: true},
        {name: 'height', kind: 'Number', optional: true},
        {
          name: 'status',
          kind: 'Dropdown',
          optional: true,
          default_value: 'active',
          choices: [
            {name: 'active', label: 'Active', color: '#00ff00', description: 'In use'},
            {name: 'drained', label: 'Drained', color: '#ff0000'},
          ],
        },
        {name: 'role', kind: 'Text', optional: true, enum: ['leaf', 'spine']},
        {name: 'mgmt', kind: 'IPHost', optional: true},
        {name: 'prefix', kind: 'IPNetwork', optional: true},
        {name: 'mac', kind: 'MacAddress', optional: true},
        {name: 'is_virtual', kind: 'Boolean', optional: true, default_value: false},
        {name: 'installed', kind: 'DateTime', optional: true},
        {name: 'facts', kind: 'JSON', optional: true},
        {name: 'vlans', kind: 'List', optional: true},
      ],
      relationships: [
        {name: 'site', peer: 'LocationSite', cardinality: 'one', optional: true, identifier: 'device__site'},
        {
          name: 'interfaces',
          peer: 'InfraInterface',
          cardinality: 'many',
          kind: 'Component',
          optional: true,
          identifier: 'device__interface',
        },
        {name: 'tags', peer: 'BuiltinTag', cardinality: 'many', optional: true},
      ],
    },
    {
      namespace: 'Infra',
      name: 'Interface',
      inherit_from: ['InfraEndpoint'],
      human_friendly_id: ['device__name__value', 'name__value'],
      display_labels: ['name__value'],
      order_by: ['name__value'],
      uniqueness_constraints: [['device', 'name__value']],
      attributes: [{name: 'speed', kind: 'Number', optional: true}],
      relationships: [
        {
          name: 'device',
          peer: 'InfraDevice',
          cardinality: 'one',
          kind: 'Parent',
          optional: false,
          identifier: 'device__interface',
        },
      ],
    },
    {
      namespace: 'Location',
      name: 'Region',
      inherit_from: ['LocationGeneric'],
      parent: '',
      children: 'LocationSite',
    },
    {
      namespace: 'Location',
      name: 'Site',
      inherit_from: ['LocationGeneric'],
      parent: 'LocationRegion',
      children: 'LocationRack',
      relationships: [
        {
          name: 'devices',
          peer: 'InfraDevice',
          cardinality: 'many',
          optional: true,
          identifier: 'device__site',
        },
      ],
    },
    {
      namespace: 'Location',
      name: 'Rack',
      inherit_from: ['LocationGeneric'],
      parent: 'LocationSite',
      children: '',
    },
  ],
};

export const MAIN = 'main' as BranchName;

let ids = 0;

export const freshId = (): NodeId => {
  ids += 1;
  return `00000000-0000-7000-8000-${ids.toString(16).padStart(12, '0')}` as NodeId;
};

export const ADMIN: Caller = {account: null, access: FULL_ACCESS};

export interface GraphqlWorld {
  readonly store: SqliteGraphStore;
  readonly services: GraphqlServices;
  readonly server: Awaited<ReturnType<typeof openServer>>['server'];
  readonly lines: Record<string, unknown>[];
  /** Who the next requests come from. */
  caller: Caller;
  /** Runs a document and answers the whole body. */
  run(query: string, options?: RunOptions): Promise<Answered>;
  /** Runs a document that must succeed and answers its data. */
  data(query: string, options?: RunOptions): Promise<Record<string, never>>;
  close(): Promise<void>;
}

export interface RunOptions {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly branch?: string;
  readonly at?: string;
  readonly operationName?: string;
}

export interface Answered {
  readonly data: Record<string, never> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly locations?: readonly unknown[];
    readonly extensions: {readonly code: string; readonly http_status: number; readonly data?: never};
  }[];
}

/** A server with GraphQL over a real store that has the built-in kinds and those of the document. */
export async function openGraphql(
  document: object = NETWORK,
  limits: Partial<GraphqlLimits> = {},
  readWorkers = 0,
): Promise<GraphqlWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-graphql-'));
  const clock = new TickingClock();
  const store = await openTestStore({folder, clock, readWorkers});
  const parsed = parseSchemaDocuments([{version: '1.0', ...document}], ['body', 'schemas']);
  assert(parsed.ok, `the test's document is malformed: ${JSON.stringify(parsed)}`);
  const applied = applyDocument(builtinSource(), parsed.document);
  const processed = processSchema(applied.source);
  const problems = [...applied.problems, ...processed.problems];
  assert(problems.length === 0, `the test's schema is refused: ${JSON.stringify(problems)}`);
  await store.write(MAIN, {account: null}, async draft => {
    for (const record of recordsOf(applied.source, processed.schema).values()) await draft.putKind(record);
  });
  const lines: Record<string, unknown>[] = [];
  const to = {write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)};
  const services: GraphqlServices = {
    store,
    merges: store,
    events: store.events,
    tasks: store.tasks,
    schemas: processedSchemas(),
    clock,
    ids: {nodeId: freshId},
    log: createJsonLog({level: 'INFO', clock, to}),
    passwords: {hash: async text => `$test$${text}`, verify: async (text, hash) => hash === `$test$${text}`},
    limits: {...GRAPHQL_LIMITS, ...limits},
    version: '0.0.0-test',
  };
  const {server} = await openServer({bodyBytesMax: 10_000_000});
  const world: GraphqlWorld = {
    store,
    services,
    server,
    lines,
    caller: ADMIN,
    async run(query, {variables = {}, branch, at, operationName} = {}) {
      const url = `/graphql${branch === undefined ? '' : `/${branch}`}${at === undefined ? '' : `?at=${encodeURIComponent(at)}`}`;
      const payload = {query, variables, ...(operationName === undefined ? {} : {operationName})};
      const response = await server.inject({method: 'POST', url, payload});
      assert(response.statusCode === 200, `${response.statusCode}: ${response.body}`);
      return response.json<Answered>();
    },
    async data(query, options) {
      const {data, errors} = await world.run(query, options);
      assert(errors === undefined && data !== null, `the document failed: ${JSON.stringify(errors)}`);
      return data;
    },
    async close() {
      await server.close();
      await store.close();
      rmSync(folder, {recursive: true, force: true});
    },
  };
  await addGraphql(server, {
    ...services,
    callerOf: async () => world.caller,
    rootFields: [branchRootFields, taskFields(DATA_CHANGING)],
  });
  return world;
}
