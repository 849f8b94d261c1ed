import {type FieldNode, type GraphQLOutputType, getNamedType, isCompositeType} from 'graphql';
import {assert} from '../../../base/assert.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import type {FieldContext} from '../engine.ts';
import {requireBounded} from '../rows.ts';
import {type Reading, selectionsOf} from './document.ts';
import {LevelPlan} from './include-plan.ts';
import {writeSettled} from './list-plan.ts';
import type {ListContext, Variables} from './list-request.ts';
import {Lookups} from './lookups.ts';
import {type WriteRun, type Writer, WriterMaker} from './writer.ts';

/** Objects that are known by their ids, with everything that the selection on them asks for. */
export class ObjectPlan {
  readonly #kind: string;
  readonly #level: LevelPlan;
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
    this.#write = new WriterMaker(reading, context).selection(named, sets, this.#level);
  }

  /** One text for each id, in order; `null` for those that are not there. */
  async run(context: FieldContext, ids: readonly NodeId[], variables: Variables): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const {snapshot, schema, caller, list} = context;
    const include = this.#level.bind(variables);
    const page = await snapshot.query({
      kind: this.#kind,
      where: {is: 'id', in: ids},
      ...(include.length === 0 ? {} : {include}),
    });
    requireBounded(page, list.limits);
    const byId = new Map(page.found.map(found => [found.node.id, found]));
    const run: WriteRun = {schema, caller, variables, lookups: new Lookups()};
    let texts: readonly string[] = [];
    await writeSettled(context, run, () => {
      texts = ids.map(id => this.#write(byId.get(id) ?? null, run));
      return '';
    });
    return texts;
  }
}
