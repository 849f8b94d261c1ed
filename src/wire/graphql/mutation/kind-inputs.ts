import {
  GraphQLBoolean,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLScalarType,
  GraphQLString,
} from 'graphql';
import {must} from '../../../base/assert.ts';
import {kindOf} from '../../../domain/schema/lookup.ts';
import type {Schema} from '../../../domain/schema/schema.ts';
import {ATTRIBUTE_FACES, type InputName} from '../types/attribute-kinds.ts';
import {LazyInputType, type Opening} from '../types/lazy-types.ts';
import {GenericScalar} from '../types/scalars.ts';
import {shownRelationships} from '../types/shown-fields.ts';

const texts = new GraphQLList(GraphQLString);

export const DeleteInput = new GraphQLInputObjectType({
  name: 'DeleteInput',
  fields: {id: {type: GraphQLString}, hfid: {type: texts}},
});

export const ContextInput = new GraphQLInputObjectType({
  name: 'ContextInput',
  fields: {
    account: {
      type: new GraphQLInputObjectType({
        name: 'ContextAccountInput',
        fields: {id: {type: new GraphQLNonNull(GraphQLString)}},
      }),
      description: 'The account to act for.',
    },
    message: {type: GraphQLString, description: 'What the commit says it is for.'},
  },
});

export const RelatedNodeInput = new GraphQLInputObjectType({
  name: 'RelatedNodeInput',
  description: 'An object by id or hfid, or one to be made in the same commit.',
  fields: {
    id: {type: GraphQLString},
    hfid: {type: texts},
    kind: {type: GraphQLString, description: 'Which kind of a generic the hfid or the data is of.'},
    data: {type: GenericScalar, description: 'A new object, in the form of the create input of its kind.'},
    _relation__is_protected: {type: GraphQLBoolean},
    _relation__is_visible: {type: GraphQLBoolean},
    _relation__owner: {type: GraphQLString},
    _relation__source: {type: GraphQLString},
  },
});

const relatedMany = new GraphQLList(RelatedNodeInput);

const ATTRIBUTE_INPUTS = attributeInputs();

function attributeInputs(): Readonly<
  Record<InputName, Readonly<Record<'create' | 'update', GraphQLInputObjectType>>>
> {
  const scalars = new Map<InputName, GraphQLScalarType>(
    Object.values(ATTRIBUTE_FACES).map(face => [face.input, face.value]),
  );
  const made = [...scalars].map(([name, value]) => {
    const common: GraphQLInputFieldConfigMap = {
      value: {type: value},
      is_protected: {type: GraphQLBoolean},
      is_visible: {type: GraphQLBoolean},
      source: {type: GraphQLString},
      owner: {type: GraphQLString},
    };
    return [
      name,
      {
        create: new GraphQLInputObjectType({
          name: `${name}AttributeCreate`,
          fields: {...common, is_default: {type: GraphQLBoolean}},
        }),
        update: new GraphQLInputObjectType({
          name: `${name}AttributeUpdate`,
          fields: {...common, is_default: {type: GraphQLBoolean}},
        }),
      },
    ];
  });
  return Object.fromEntries(made);
}

/** The input types of kinds. Everything is optional: a template may supply what is mandatory, so that is checked later. */
export class KindInputs {
  readonly #schema: Schema;
  readonly #opening: Opening;
  readonly #made: GraphQLInputObjectType[] = [];

  constructor(schema: Schema, opening: Opening) {
    this.#schema = schema;
    this.#opening = opening;
  }

  /** Every type that was made, and those of attributes. */
  all(): readonly GraphQLNamedType[] {
    const ofAttributes = Object.values(ATTRIBUTE_INPUTS).flatMap(({create, update}) => [create, update]);
    return [...this.#made, ...ofAttributes, RelatedNodeInput, ContextInput, DeleteInput];
  }

  create(kind: string): GraphQLInputObjectType {
    return this.#input(`${kind}CreateInput`, kind, 'create', {id: {type: GraphQLString}});
  }

  update(kind: string): GraphQLInputObjectType {
    return this.#input(`${kind}UpdateInput`, kind, 'update', {
      id: {type: GraphQLString},
      hfid: {type: texts},
    });
  }

  upsert(kind: string): GraphQLInputObjectType {
    return this.#input(`${kind}UpsertInput`, kind, 'update', {
      id: {type: GraphQLString},
      hfid: {type: texts},
    });
  }

  #input(
    name: string,
    kindName: string,
    form: 'create' | 'update',
    identity: GraphQLInputFieldConfigMap,
  ): GraphQLInputObjectType {
    const input = new LazyInputType(this.#opening, {
      name,
      fields: () => {
        const kind = must(kindOf(this.#schema, kindName), `the kind ${kindName}`);
        const fields: GraphQLInputFieldConfigMap = {...identity};
        for (const attribute of kind.attributes) {
          if (attribute.read_only || attribute.kind === 'NumberPool') continue;
          const type = ATTRIBUTE_INPUTS[ATTRIBUTE_FACES[attribute.kind].input][form];
          fields[attribute.name] = {type, description: attribute.description};
        }
        for (const {relationship} of shownRelationships(this.#schema, kind)) {
          if (relationship.read_only) continue;
          fields[relationship.name] = {
            type: relationship.cardinality === 'one' ? RelatedNodeInput : relatedMany,
            description: relationship.description,
          };
        }
        return fields;
      },
    });
    this.#made.push(input);
    return input;
  }
}
