import {type GraphQLError, type GraphQLObjectType, getNamedType, isObjectType} from 'graphql';
import {assert, must} from '../../../base/assert.ts';
import type {FieldContext} from '../engine.ts';
import {collectFields, selectionsOf} from '../plan/document.ts';
import {ObjectPlan} from '../plan/object-plan.ts';
import type {RootField} from '../plan/query-plan.ts';
import type {Running} from '../running.ts';
import type {MutationMeaning} from './mutation-meaning.ts';
import type {Outcome} from './mutation-step.ts';

type Part = (outcome: Outcome, context: FieldContext) => Promise<string>;

/** Writes the answer of a mutation from what it did. */
export class PayloadPlan {
  readonly #parts: readonly (readonly [key: string, part: Part])[];
  readonly #objects: {readonly path: readonly string[]; readonly plan: ObjectPlan}[] = [];

  constructor(
    {reading, context}: Running,
    {key: root, field, nodes}: Omit<RootField, 'run'>,
    meaning: MutationMeaning,
  ) {
    const type = getNamedType(field.type);
    assert(isObjectType(type), 'a payload has fields');
    const collected = collectFields(reading, type, selectionsOf(nodes));
    this.#parts = [...collected].map(([key, inner]) => {
      const name = inner[0]!.name.value;
      if (name !== 'object' && name !== 'objects') return [key, plainPart(type, name)] as const;
      const object = must(type.getFields()[name], name);
      const plan = new ObjectPlan(reading, context.list, meaning.kind, object.type, inner);
      this.#objects.push({path: [root, key], plan});
      const part: Part = async ({shown}, at) => {
        const texts = await plan.run(at, shown, reading.variables);
        return name === 'object' ? (texts[0] ?? 'null') : `[${texts.join()}]`;
      };
      return [key, part] as const;
    });
  }

  /** Refuses, before anything is written, an answer that would show what the caller may not see at all. */
  authorize(context: FieldContext): void {
    for (const {plan} of this.#objects) plan.authorize(context);
  }

  hidden(context: FieldContext): readonly GraphQLError[] {
    return this.#objects.flatMap(({path, plan}) => plan.hidden(context, path));
  }

  async write(outcome: Outcome, context: FieldContext): Promise<string> {
    const fields: string[] = [];
    for (const [key, part] of this.#parts) {
      fields.push(`${JSON.stringify(key)}:${await part(outcome, context)}`);
    }
    return `{${fields.join()}}`;
  }
}

function plainPart(type: GraphQLObjectType, name: string): Part {
  switch (name) {
    case '__typename':
      return async () => JSON.stringify(type.name);
    case 'deleted_ids':
      return async ({deleted}) => JSON.stringify(deleted);
    case 'count':
      return async ({shown, deleted}) => String(shown.length + deleted.length);
    default:
      return async () => 'true';
  }
}
