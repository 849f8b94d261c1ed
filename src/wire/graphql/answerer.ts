import {GraphQLError, getVariableValues, OperationTypeNode} from 'graphql';
import type {AnalyseQuery} from '../../app/query/analyse-query.ts';
import {must} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import {viewOf} from '../../domain/access/view.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import {parseAt} from '../../domain/time/instant.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import {type Answer, answerOf, type FieldAnswer, refusalOf} from './answer.ts';
import type {GraphqlRequest, GraphqlServices} from './engine.ts';
import {type ErrorSink, RequestRefused, refuse} from './errors.ts';
import {answerMutation} from './mutation/answer-mutation.ts';
import {runPlain} from './plain/run-plain.ts';
import {Documents, operationOf} from './plan/documents.ts';
import type {ListContext} from './plan/list-request.ts';
import {measureOperation, type OperationMeasure} from './plan/operation-measure.ts';
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
  readonly #faces: Recent<string, BranchGraphql>;
  readonly #watch: GraphqlWatch;
  /** For all who store queries. */
  readonly analyseQuery: AnalyseQuery;

  constructor(services: GraphqlServices, makers: readonly RootFieldsMaker[] = [], watch = UNWATCHED) {
    this.#services = {...services, analyseQuery: (schema, text) => this.analyseQuery(schema, text)};
    this.#watch = watch;
    this.#makers = makers;
    this.#documents = new Documents(services.limits);
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

  async answer(request: GraphqlRequest): Promise<Answer> {
    const start = performance.now();
    let operation: WatchedOperation | undefined;
    const answer = await this.#answer(request, running => {
      operation = {type: running.operation.operation, ...measured(running)};
    });
    this.#watch.answered(operation, answer, performance.now() - start);
    return answer;
  }

  async #answer(request: GraphqlRequest, onUnderstood: (running: Running) => void): Promise<Answer> {
    const sink = {log: this.#services.log, requestId: request.requestId};
    try {
      const running = await this.prepare(request);
      if (running.operation.operation === OperationTypeNode.SUBSCRIPTION) {
        throw refuse('Subscriptions are served over a WebSocket');
      }
      onUnderstood(running);
      if (running.operation.operation === OperationTypeNode.MUTATION) {
        return answerOf(await answerMutation(running), sink);
      }
      return await this.#answerQuery(running, sink);
    } catch (error) {
      if (error instanceof RequestRefused) return refusalOf(error.errors, sink);
      if (error instanceof ServiceError) {
        return refusalOf([new GraphQLError(error.message, {originalError: error})], sink);
      }
      throw error;
    }
  }

  /** Makes an operation ready to run; refuses what cannot be understood. */
  async prepare(request: GraphqlRequest): Promise<Running> {
    const isMutation = this.operationType(request) === OperationTypeNode.MUTATION;
    const snapshot = await this.#snapshot(request, isMutation);
    const schema = this.#services.schemas.of(snapshot);
    const face = this.face(schema);
    const valid = this.#documents.valid(face, request.query);
    const operation = operationOf(valid.document, request.operationName);
    const {coerced, errors} = getVariableValues(
      face.graphql,
      operation.variableDefinitions ?? [],
      {...request.variables},
      {maxErrors: 20},
    );
    if (coerced === undefined) throw new RequestRefused(must(errors, 'the errors of the variables'));
    const list: ListContext = {schema, wheres: face.wheres, limits: this.#services.limits};
    return {
      face,
      valid,
      operation,
      watch: this.#watch,
      reading: {schema: face.graphql, fragments: valid.fragments, variables: coerced},
      given: request.variables,
      context: {
        services: this.#services,
        caller: request.caller,
        view: viewOf(request.caller.access, schema, request.branch === this.#services.store.defaultBranch),
        branch: request.branch,
        snapshot,
        schema,
        list,
      },
    };
  }

  /** A mutation works on the head of its branch, whatever instant was named. */
  #snapshot(request: GraphqlRequest, isMutation: boolean): Promise<Snapshot> | Snapshot {
    const {branch, at, snapshot} = request;
    if (snapshot !== undefined && !isMutation) return snapshot;
    const {store} = this.#services;
    const instant = isMutation || at === undefined ? undefined : parseAt(at, store.now(), store.oldest);
    return store.snapshot(instant === undefined ? {branch} : {branch, at: instant});
  }

  async #answerQuery(running: Running, sink: ErrorSink): Promise<Answer> {
    const roots = queryPlan(running);
    const plain = roots.filter(root => root.run === undefined);
    const isIntrospection = plain.length > 0 && plain.every(({field}) => field.name.startsWith('__'));
    const left = isIntrospection ? introspected(running, plain) : resolved(running, plain);
    const [byResolver, compiled] = await Promise.all([
      plain.length === 0 ? [] : left,
      Promise.all(
        roots
          .filter(root => root.run !== undefined)
          .map(root => running.watch.field(root.field.name, () => runRoot(running, root))),
      ),
    ]);
    const byKey = new Map([...byResolver, ...compiled].map(field => [field.key, field]));
    return answerOf(
      roots.map(({key}) => must(byKey.get(key), `the answer of ${key}`)),
      sink,
    );
  }
}

function measured({face, valid, operation}: Running): OperationMeasure {
  const key = `measure ${operation.name?.value ?? ''}`;
  const known = valid.plans.get(key) as OperationMeasure | undefined;
  if (known !== undefined) return known;
  const measure = measureOperation(face, operation, valid.fragments);
  valid.plans.set(key, measure);
  return measure;
}

/** A plan depends on the document, the operation and the variables that decide which fields are asked for. */
function queryPlan({valid, operation, reading, context}: Running): readonly RootField[] {
  const decided = valid.deciding.map(name => reading.variables[name] === true);
  const key = `plan ${operation.name?.value ?? ''} ${decided.join()}`;
  const known = valid.plans.get(key) as readonly RootField[] | undefined;
  if (known !== undefined) return known;
  const plan = planQuery(reading, context.list, operation);
  valid.plans.set(key, plan);
  return plan;
}

async function resolved(running: Running, fields: readonly RootField[]): Promise<readonly FieldAnswer[]> {
  const run = plainRun(running);
  const answers = await Promise.all(
    fields.map(root => running.watch.field(root.field.name, () => runPlain(run, [root]))),
  );
  return answers.flat();
}

/** What a schema says of itself never changes, so it is worked out once for each way of asking. */
async function introspected(running: Running, fields: readonly RootField[]): Promise<readonly FieldAnswer[]> {
  const {valid, operation, given} = running;
  const key = `introspection ${operation.name?.value ?? ''} ${JSON.stringify(given)}`;
  const known = valid.plans.get(key) as readonly FieldAnswer[] | undefined;
  if (known !== undefined) return known;
  const answers = await runPlain(plainRun(running), fields);
  valid.plans.set(key, answers);
  return answers;
}

async function runRoot({context, reading}: Running, root: RootField): Promise<FieldAnswer> {
  const {key, nodes} = root;
  try {
    const text = await must(root.run, 'the plan')(context, reading.variables);
    return {key, text, errors: root.hidden?.(context) ?? []};
  } catch (error) {
    return failed(key, nodes, error);
  }
}
