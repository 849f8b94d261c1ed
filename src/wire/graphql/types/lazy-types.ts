import {
  type GraphQLArgument,
  type GraphQLFieldMap,
  type GraphQLInputFieldMap,
  GraphQLInputObjectType,
  type GraphQLInputObjectTypeConfig,
  GraphQLInterfaceType,
  type GraphQLInterfaceTypeConfig,
  GraphQLObjectType,
  type GraphQLObjectTypeConfig,
} from 'graphql';

/**
 * A schema has thousands of types and a document touches a handful of them. While it is put together its types show
 * no fields, so that nothing is made that nobody asks for; every type must then be named to it. Once it is open,
 * a type makes its fields, and a field its arguments, when they are first looked at.
 */
export class Opening {
  isOpen = false;

  open(): void {
    this.isOpen = true;
  }
}

export type ArgumentTable = Iterable<readonly [field: string, make: () => readonly GraphQLArgument[]]>;

type Fields = GraphQLFieldMap<unknown, unknown>;

export class LazyObjectType extends GraphQLObjectType<unknown, unknown> {
  readonly #opening: Opening;
  readonly #table: () => ArgumentTable;
  #fields: Fields | undefined;

  constructor(
    opening: Opening,
    config: GraphQLObjectTypeConfig<unknown, unknown>,
    table: () => ArgumentTable = () => [],
  ) {
    super(config);
    this.#opening = opening;
    this.#table = table;
  }

  override getFields(): Fields {
    if (!this.#opening.isOpen) return {};
    this.#fields ??= withArguments(super.getFields(), this.#table());
    return this.#fields;
  }
}

export class LazyInterfaceType extends GraphQLInterfaceType {
  readonly #opening: Opening;
  readonly #table: () => ArgumentTable;
  #fields: Fields | undefined;

  constructor(
    opening: Opening,
    config: GraphQLInterfaceTypeConfig<unknown, unknown>,
    table: () => ArgumentTable,
  ) {
    super(config);
    this.#opening = opening;
    this.#table = table;
  }

  override getFields(): Fields {
    if (!this.#opening.isOpen) return {};
    this.#fields ??= withArguments(super.getFields(), this.#table());
    return this.#fields;
  }
}

export class LazyInputType extends GraphQLInputObjectType {
  readonly #opening: Opening;

  constructor(opening: Opening, config: GraphQLInputObjectTypeConfig) {
    super(config);
    this.#opening = opening;
  }

  override getFields(): GraphQLInputFieldMap {
    return this.#opening.isOpen ? super.getFields() : {};
  }
}

function withArguments(fields: Fields, table: ArgumentTable): Fields {
  for (const [name, make] of table) {
    const field = fields[name];
    if (field === undefined) continue;
    let made: readonly GraphQLArgument[] | undefined;
    Object.defineProperty(field, 'args', {
      enumerable: true,
      get: () => {
        made ??= make();
        return made;
      },
    });
  }
  return fields;
}
