import {GraphQLError, OperationTypeNode} from 'graphql';
import type {AnalyseQuery} from '../../app/query/analyse-query.ts';
import {must} from '../../base/assert.ts';
import {type Awaitable, allReady, attempt, whenReady} from '../../base/awaitable.ts';
import type {Json} from '../../base/json.ts';
import {viewOf} from '../../domain/access/view.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import {type Instant, parseAt} from '../../domain/time/instant.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import {type Answer, answerOf, type FieldAnswer, refusalOf} from './answer.ts';
import type {GraphqlRequest, GraphqlServices} from './engine.ts';
import {RequestRefused, refuse} from './errors.ts';
import {answerMutation} from './mutation/answer-mutation.ts';
import {runPlain} from './plain/run-plain.ts';
import {Documents, operationOf} from './plan/documents.ts';
import {Fragments} from './plan/fragments.ts';
import type {ListContext} from './plan/list-request.ts';
import {measureOperation} from './plan/operation-measure.ts';
import {planQuery, type RootField} from './plan/query-plan.ts';
import {Recent} from './plan/recent.ts';
import {queryAnalyser} from './query-analyser.ts';
import {failed, plainRun, type Running} from './running.ts';
import {variablesFromTexts} from './text-variables.ts';
import {BranchGraphql} from './types/branch-graphql.ts';
import type {RootFieldsMaker} from './types/root-fields.ts';
import {type GraphqlWatch, UNWATCHED, type WatchedOperation} from './watch.ts';

/** Answers GraphQL requests on any branch, at any instant. */
export class Answerer {
  readonly #services: GraphqlServices;
  readonly #makers: readonly RootFieldsMaker[];
  readonly #documents: Documents;
  readonly #fragments: Fragments;
  readonly #faces: Recent<string, BranchGraphql>;
  readonly #watch: GraphqlWatch;
  /** For all who store queries. */
  readonly analyseQuery: AnalyseQuery;

  constructor(services: GraphqlServices, makers: readonly RootFieldsMaker[] = [], watch = UNWATCHED) {
    this.#services = {...services, analyseQuery: (schema, text) => this.analyseQuery(schema, text)};
    this.#watch = watch;
    this.#makers = makers;
    this.#documents = new Documents(services.limits);
    this.#fragments = new Fragments(services.limits.fragmentCharactersCachedMax);
    this.#faces = new Recent(services.limits.schemasCachedMax);
    this.analyseQuery = queryAnalyser(this.#documents, schema => this.face(schema));
  }

  /** The GraphQL face of a schema; equal schemas share one. */
  face(schema: Schema): BranchGraphql {
    const known = this.#faces.get(schema.hash);
    if (known !== undefined) return known;
    const made = new BranchGraphql(schema, this.#makers);
    this.#faces.set(schema.hash, made);
    return made;
  }

  /** The kind of operation that the request asks for; refuses what cannot be read. */
  operationType(request: Pick<GraphqlRequest, 'query' | 'operationName'>): OperationTypeNode {
    return operationOf(this.#documents.parse(request.query), request.operationName).operation;
  }

  /** False when the document cannot be read: its answer will say why. */
  isMutation(query: string): boolean {
    try {
      return this.operationType({query, operationName: undefined}) === OperationTypeNode.MUTATION;
    } catch (error) {
      if (error instanceof RequestRefused) return false;
      throw error;
    }
  }

  /** Variables of a document that came as texts; of one that cannot be read they stay so. */
  variablesFromTexts(
    schema: Schema,
    text: string,
    texts: Readonly<Record<string, string | readonly string[]>>,
  ): Readonly<Record<string, Json>> {
    try {
      return variablesFromTexts(this.face(schema).graphql, this.#documents.parse(text), texts);
    } catch (error) {
      if (error instanceof RequestRefused) return texts as Readonly<Record<string, Json>>;
      throw error;
    }
  }

  answer(request: GraphqlRequest): Awaitable<Answer> {
    const start = performance.now();
    let operation: WatchedOperation | undefined;
    const answered = this.#answer(request, running => {
      operation = watched(running);
    });
    return whenReady(answered, answer => {
      this.#watch.answered(operation, answer, performance.now() - start);
      return answer;
    });
  }

  #answer(request: GraphqlRequest, onUnderstood: (running: Running) => void): Awaitable<Answer> {
    const sink = {log: this.#services.log, requestId: request.requestId};
    const run = (running: Running): Awaitable<Answer> => {
      const type = running.operation.operation;
      if (type === OperationTypeNode.SUBSCRIPTION) throw refuse('Subscriptions are served over a WebSocket');
      onUnderstood(running);
      const fields = type === OperationTypeNode.MUTATION ? answerMutation(running) : answerQuery(running);
      return whenReady(fields, answers => answerOf(answers, sink));
    };
    return attempt(
      () => whenReady(this.prepare(request), run),
      error => {
        if (error instanceof RequestRefused) return refusalOf(error.errors, sink);
        if (error instanceof ServiceError) {
          return refusalOf([new GraphQLError(error.message, {originalError: error})], sink);
        }
        throw error;
      },
    );
  }

  /** Makes an operation ready to run; refuses what cannot be understood. */
  prepare(request: GraphqlRequest): Awaitable<Running> {
    const isMutation = this.operationType(request) === OperationTypeNode.MUTATION;
    const {store} = this.#services;
    // A mutation works on the head of its branch, whatever instant was named.
    const at =
      isMutation || request.at === undefined ? undefined : parseAt(request.at, store.now(), store.oldest);
    return whenReady(this.#snapshot(request, isMutation, at), snapshot =>
      this.#running(request, snapshot, at),
    );
  }

  #running(request: GraphqlRequest, snapshot: Snapshot, at: Instant | undefined): Running {
    const schema = this.#services.schemas.of(snapshot);
    const face = this.face(schema);
    const valid = this.#documents.valid(face, request.query);
    const kept = valid.operation(request.operationName);
    const {limits} = this.#services;
    const list: ListContext = {schema, wheres: face.wheres, limits, fragments: this.#fragments};
    return {
      face,
      valid,
      kept,
      operation: kept.node,
      watch: this.#watch,
      reading: {
        schema: face.graphql,
        fragments: valid.fragments,
        variables: kept.variables.read(request.variables),
      },
      given: request.variables,
      context: {
        services: this.#services,
        caller: request.caller,
        view: viewOf(request.caller.access, schema, request.branch === this.#services.store.defaultBranch),
        branch: request.branch,
        snapshot,
        at,
        schema,
        list,
      },
    };
  }

  #snapshot(
    {branch, snapshot}: GraphqlRequest,
    isMutation: boolean,
    at: Instant | undefined,
  ): Awaitable<Snapshot> {
    if (snapshot !== undefined && !isMutation) return snapshot;
    return this.#services.store.snapshot(at === undefined ? {branch} : {branch, at});
  }
}

function answerQuery(running: Running): Awaitable<readonly FieldAnswer[]> {
  const roots = queryPlan(running);
  const plain = roots.filter(root => root.run === undefined);
  if (plain.length === 0) return allReady(roots.map(root => runRoot(running, root)));
  const isIntrospection = plain.every(({field}) => field.name.startsWith('__'));
  const left = isIntrospection ? introspected(running, plain) : resolved(running, plain);
  const compiled = roots.filter(root => root.run !== undefined).map(root => runRoot(running, root));
  return inOrder(roots, left, compiled);
}

async function inOrder(
  roots: readonly RootField[],
  left: Promise<readonly FieldAnswer[]>,
  compiled: readonly Awaitable<FieldAnswer>[],
): Promise<readonly FieldAnswer[]> {
  const [byResolver, written] = await Promise.all([left, allReady(compiled)]);
  const byKey = new Map([...byResolver, ...written].map(field => [field.key, field]));
  return roots.map(({key}) => must(byKey.get(key), `the answer of ${key}`));
}

function watched({face, valid, kept}: Running): WatchedOperation {
  const known = kept.plans.get('watched') as WatchedOperation | undefined;
  if (known !== undefined) return known;
  const made = {type: kept.node.operation, ...measureOperation(face, kept.node, valid.fragments)};
  kept.plans.set('watched', made);
  return made;
}

/** A plan depends on the document, the operation and the variables that decide which fields are asked for. */
function queryPlan({valid, kept, reading, context}: Running): readonly RootField[] {
  const decided = valid.deciding.map(name => reading.variables[name] === true);
  const key = `plan ${decided.join()}`;
  const known = kept.plans.get(key) as readonly RootField[] | undefined;
  if (known !== undefined) return known;
  const plan = planQuery(reading, context.list, kept.node);
  kept.plans.set(key, plan);
  return plan;
}

async function resolved(running: Running, fields: readonly RootField[]): Promise<readonly FieldAnswer[]> {
  const run = plainRun(running);
  const answers = await allReady(
    fields.map(root => running.watch.field(root.field.name, () => runPlain(run, [root]))),
  );
  return answers.flat();
}

/** What a schema says of itself never changes, so it is worked out once for each way of asking. */
async function introspected(running: Running, fields: readonly RootField[]): Promise<readonly FieldAnswer[]> {
  const {kept, given} = running;
  const key = `introspection ${JSON.stringify(given)}`;
  const known = kept.plans.get(key) as readonly FieldAnswer[] | undefined;
  if (known !== undefined) return known;
  const answers = await runPlain(plainRun(running), fields);
  kept.plans.set(key, answers);
  return answers;
}

function runRoot({context, reading, watch}: Running, root: RootField): Awaitable<FieldAnswer> {
  const {key, nodes} = root;
  const run = must(root.run, 'the plan');
  const answered = (text: string): FieldAnswer => ({key, text, errors: root.hidden?.(context) ?? []});
  return watch.field(root.field.name, () =>
    attempt(
      () => whenReady(run(context, reading.variables), answered),
      error => failed(key, nodes, error),
    ),
  );
}
