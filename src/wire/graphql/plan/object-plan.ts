import {
  type FieldNode,
  type GraphQLError,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
} from 'graphql';
import {assert} from '../../../base/assert.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import {hiddenFields, requireViewed, type Viewed, viewedBy} from '../access.ts';
import type {FieldContext} from '../engine.ts';
import {requireBounded} from '../rows.ts';
import {type Reading, selectionsOf} from './document.ts';
import {LevelPlan} from './include-plan.ts';
import {writeRun, writeSettled} from './list-plan.ts';
import type {ListContext, Variables} from './list-request.ts';
import type {Writer} from './write-run.ts';
import {WriterMaker} from './writer.ts';

/** Objects that are known by their ids, with everything that the selection on them asks for. */
export class ObjectPlan {
  readonly #kind: string;
  readonly #level: LevelPlan;
  readonly #viewed: Viewed;
  readonly #write: Writer;

  constructor(
    reading: Reading,
    context: ListContext,
    kind: string,
    type: GraphQLOutputType,
    nodes: readonly FieldNode[],
  ) {
    const named = getNamedType(type);
    assert(isCompositeType(named), `${String(type)} has fields`);
    const sets = selectionsOf(nodes);
    this.#kind = kind;
    this.#level = new LevelPlan(context);
    this.#level.add(reading, named, sets);
    this.#viewed = viewedBy(reading, context.schema, undefined, named, sets);
    this.#write = new WriterMaker(reading, context).selection(named, sets, this.#level);
  }

  /** Refuses what would show objects of which the caller may see none. */
  authorize({view, schema}: FieldContext): void {
    requireViewed(view, schema, this.#viewed);
  }

  hidden({view, schema}: FieldContext, above: readonly string[]): readonly GraphQLError[] {
    return hiddenFields(view, schema, this.#viewed, above);
  }

  /** One text for each id, in order; `null` for those that are not there. */
  async run(context: FieldContext, ids: readonly NodeId[], variables: Variables): Promise<readonly string[]> {
    this.authorize(context);
    if (ids.length === 0) return [];
    const {snapshot, view, list} = context;
    const include = this.#level.bind(variables, view);
    const page = await snapshot.query({
      kind: this.#kind,
      where: {is: 'id', in: ids},
      ...(include.length === 0 ? {} : {include}),
    });
    requireBounded(page, list.limits);
    const byId = new Map(page.found.map(found => [found.node.id, found]));
    const run = writeRun(context, variables);
    let texts: readonly string[] = [];
    await writeSettled(context, run, () => {
      texts = ids.map(id => this.#write(byId.get(id) ?? null, run));
      return '';
    });
    return texts;
  }
}
