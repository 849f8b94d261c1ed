import {type FieldNode, type GraphQLError, type GraphQLField, getNamedType, isObjectType} from 'graphql';
import {assert} from '../../../base/assert.ts';
import {type Awaitable, whenReady} from '../../../base/awaitable.ts';
import {narrowQuery} from '../../../domain/access/narrow-query.ts';
import type {NodeQuery} from '../../../domain/query/node-query.ts';
import type {Page} from '../../../ports/graph-store.ts';
import {hiddenFields, requireViewed, type Viewed, viewedBy} from '../access.ts';
import type {FieldContext} from '../engine.ts';
import {requireBounded, requireWhole} from '../rows.ts';
import {ConnectionWriter} from './connection-writer.ts';
import {type Reading, selectionsOf} from './document.ts';
import {addConnection, LevelPlan, type PageNeeds} from './include-plan.ts';
import {ListArgumentsPlan, type ListContext, type ListRequest, type Variables} from './list-request.ts';
import {Lookups} from './lookups.ts';
import type {WriteRun} from './write-run.ts';
import {listing, WriterMaker} from './writer.ts';

/** A list of objects at the root of a query, from its arguments to its text: one read, one pass. */
export class ListPlan {
  readonly #kind: string;
  readonly #args: ListArgumentsPlan;
  readonly #needs: PageNeeds;
  readonly #viewed: Viewed;
  readonly #writer: ConnectionWriter;
  readonly #context: ListContext;

  constructor(
    reading: Reading,
    context: ListContext,
    kind: string,
    field: GraphQLField<unknown, unknown>,
    nodes: readonly FieldNode[],
  ) {
    const type = getNamedType(field.type);
    assert(isObjectType(type), `${field.name} yields a list`);
    const sets = selectionsOf(nodes);
    this.#kind = kind;
    this.#context = context;
    this.#args = new ListArgumentsPlan(context, kind, field, nodes[0]!);
    this.#needs = {wantsCount: false, wantsNodes: false, level: new LevelPlan(context)};
    addConnection(this.#needs, reading, type, sets);
    this.#viewed = viewedBy(reading, context.schema, kind, type, sets);
    const maker = new WriterMaker(reading, context);
    this.#writer = new ConnectionWriter(maker.connection(type, sets, this.#needs.level));
  }

  run(context: FieldContext, variables: Variables): Awaitable<string> {
    const {snapshot, schema, view} = context;
    requireViewed(view, schema, this.#viewed);
    const request = this.#args.bind(variables);
    const {limits} = this.#context;
    const include = this.#needs.level.bind(variables, view);
    const query: NodeQuery = {
      kind: this.#kind,
      ...narrowQuery(view, schema, this.#kind, request.query),
      page: request.page ?? {limit: limits.pageRowsMax, offset: 0},
      ...(this.#needs.wantsCount ? {count: true} : {}),
      ...(this.#needs.wantsNodes ? {} : {nodes: false}),
      ...(include.length === 0 ? {} : {include}),
    };
    return whenReady(snapshot.query(query), page => this.#written(context, variables, request, page));
  }

  #written(context: FieldContext, variables: Variables, request: ListRequest, page: Page): Awaitable<string> {
    const {limits} = this.#context;
    requireWhole(this.#kind, page, request.page !== undefined, limits);
    requireBounded(page, limits);
    const run = writeRun(context, variables);
    const source = listing(page, this.#kind, request);
    return writeSettled(context, run, () => this.#writer.write(source, run));
  }

  hidden({view, schema}: FieldContext, key: string): readonly GraphQLError[] {
    return hiddenFields(view, schema, this.#viewed, [key]);
  }
}

export const writeRun = (
  {caller, schema, view, isRehearsal}: FieldContext,
  variables: Variables,
): WriteRun => ({
  schema,
  caller,
  view,
  variables,
  lookups: new Lookups(),
  isRehearsal: isRehearsal === true,
});

/** Writes until nothing that was met still has to be looked up. */
export function writeSettled(
  context: FieldContext,
  run: WriteRun,
  write: () => Awaitable<string>,
): Awaitable<string> {
  return whenReady(write(), text => (run.lookups.isSettled ? text : writeAgain(context, run, write)));
}

async function writeAgain(
  context: FieldContext,
  run: WriteRun,
  write: () => Awaitable<string>,
): Promise<string> {
  let text = '';
  while (!run.lookups.isSettled) {
    await run.lookups.settle(context, run.variables);
    text = await write();
  }
  return text;
}
