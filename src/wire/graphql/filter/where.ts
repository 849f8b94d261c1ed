import {
  GraphQLBoolean,
  GraphQLID,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
} from 'graphql';
import type {AttributeKind} from '../../../domain/attribute/kinds.ts';
import type {Condition} from '../../../domain/query/node-query.ts';
import {kindOf} from '../../../domain/schema/lookup.ts';
import type {AttributeSchema, KindSchema, Schema} from '../../../domain/schema/schema.ts';
import {ATTRIBUTE_FACES} from '../types/attribute-kinds.ts';
import {LazyInputType, type Opening} from '../types/lazy-types.ts';
import {shownRelationships} from '../types/shown-fields.ts';
import {operatorsOf, operatorType, scalarList} from './attribute-filters.ts';
import {all, not} from './filter.ts';
import {nodeIds} from './ids.ts';
import {attributeCondition, type Operator} from './value-test.ts';

type Given = Readonly<Record<string, unknown>>;

/** The structured filters: `where: {AND, OR, NOT, <attribute>: {…}, <relationship>: {…}}`, nested at will. */
export class WhereBook {
  readonly #schema: Schema;
  readonly #opening: Opening;
  readonly #types = new Map<string, GraphQLInputObjectType>();

  constructor(schema: Schema, opening: Opening) {
    this.#opening = opening;
    this.#schema = schema;
  }

  type(kindName: string): GraphQLInputObjectType {
    const known = this.#types.get(kindName);
    if (known !== undefined) return known;
    const type = new LazyInputType(this.#opening, {
      name: `${kindName}Where`,
      description: 'All that is said must hold. A relationship holds when some related object does.',
      fields: () => this.#fields(kindName),
    });
    this.#types.set(kindName, type);
    return type;
  }

  condition(kindName: string, given: Given): Condition {
    const kind = kindOf(this.#schema, kindName);
    const of: Condition[] = [];
    for (const [name, value] of Object.entries(given)) {
      if (value === null || value === undefined || kind === undefined) continue;
      of.push(this.#part(kind, name, value));
    }
    return all(of);
  }

  #fields(kindName: string): GraphQLInputFieldConfigMap {
    const kind = kindOf(this.#schema, kindName)!;
    const own = this.type(kindName);
    const several = new GraphQLList(new GraphQLNonNull(own));
    const fields: GraphQLInputFieldConfigMap = {
      AND: {type: several},
      OR: {type: several},
      NOT: {type: own},
      ids: {type: scalarList(GraphQLID)},
    };
    for (const attribute of kind.attributes) fields[attribute.name] = {type: attributeWhere(attribute.kind)};
    for (const {relationship, peer} of shownRelationships(this.#schema, kind)) {
      fields[relationship.name] = {type: this.type(peer)};
      fields[`${relationship.name}__isnull`] = {type: GraphQLBoolean};
    }
    return fields;
  }

  #part(kind: KindSchema, name: string, value: unknown): Condition {
    const field = kind.fields.get(name);
    if (field?.is === 'attribute') return attributePart(field, value as Given);
    if (field?.is === 'relationship') {
      const peer = shownRelationships(this.#schema, kind).find(each => each.relationship === field)?.peer;
      const where = this.condition(peer ?? field.peer, value as Given);
      return {is: 'related', relationship: name, where};
    }
    if (name === 'NOT') return not(this.condition(kind.kind, value as Given));
    if (name === 'AND') return {is: 'all', of: this.#each(kind, value)};
    if (name === 'OR') return {is: 'any', of: this.#each(kind, value)};
    if (name === 'ids') return {is: 'id', in: nodeIds(value as readonly unknown[])};
    const related = {is: 'related', relationship: name.replace(/__isnull$/, '')} as const;
    return value === true ? not(related) : related;
  }

  #each(kind: KindSchema, values: unknown): readonly Condition[] {
    return (values as readonly Given[]).map(value => this.condition(kind.kind, value));
  }
}

function attributePart({name, kind}: AttributeSchema, given: Given): Condition {
  const {ignore_case: ignoreCase, ...tests} = given;
  const of: Condition[] = [];
  for (const [operator, value] of Object.entries(tests)) {
    if (value === null || value === undefined) continue;
    const options = {isPartial: false, ignoreCase: ignoreCase === true};
    of.push(attributeCondition(name, kind, operator as Operator, value, options));
  }
  return all(of);
}

const attributeWheres = new Map<string, GraphQLInputObjectType>();

/** One input type for each filter scalar, shared by all schemas. */
export function attributeWhere(kind: AttributeKind): GraphQLInputObjectType {
  const name = `${ATTRIBUTE_FACES[kind].filter.name}Where`;
  const known = attributeWheres.get(name);
  if (known !== undefined) return known;
  const operators: readonly Operator[] = ['value', 'values', 'isnull', ...operatorsOf(kind)];
  const fields: GraphQLInputFieldConfigMap = Object.fromEntries(
    operators.map(operator => [operator, {type: operatorType(kind, operator)}]),
  );
  if (operators.includes('contains')) fields.ignore_case = {type: GraphQLBoolean};
  const type = new GraphQLInputObjectType({name, fields});
  attributeWheres.set(name, type);
  return type;
}
