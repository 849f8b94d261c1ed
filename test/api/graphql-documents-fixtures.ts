import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
} from 'graphql';

/** A source of choices that a seed decides. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  below(max: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 0x1_0000_0000) * max);
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

const ARGUMENTS: readonly string[] = [
  'first: 2',
  'limit: 2, offset: 1',
  'limit: 0',
  'offset: 1',
  'first: $size',
  'order: {node_metadata: {updated_at: DESC}}',
  'order: {disable: true}',
  'where: {NOT: {ids: []}}',
  'ids: $ids',
];

const ROOT_ARGUMENTS: readonly string[] = [
  ...ARGUMENTS,
  'partial_match: true, any__value: "a"',
  'first: -1',
  'first: 1, limit: 1',
  'after: "nonsense"',
  'limit: 99999999',
];

const ROOTS = [
  'InfraDevice',
  'InfraInterface',
  'InfraEndpoint',
  'LocationGeneric',
  'LocationSite',
  'LocationRegion',
  'BuiltinTag',
  'CoreNode',
  'CoreAccount',
  'AccountProfile',
];

const LISTS = new Set([
  'interfaces',
  'tags',
  'devices',
  'children',
  'ancestors',
  'descendants',
  'member_of_groups',
  'profiles',
]);

/** Documents that are valid for the schema of the network, with fragments, aliases, variables and conditions. */
export class DocumentMaker {
  readonly #schema: GraphQLSchema;
  readonly #dice: Dice;
  readonly #fragments: string[] = [];
  #aliases = 0;

  constructor(schema: GraphQLSchema, dice: Dice) {
    this.#schema = schema;
    this.#dice = dice;
  }

  document(): string {
    const query = this.#schema.getQueryType()!;
    const roots = Array.from({length: 1 + this.#dice.below(3)}, (_, place) => {
      const field = query.getFields()[this.#dice.pick(ROOTS)]!;
      const args = field.name === 'AccountProfile' ? '' : this.#arguments(ROOT_ARGUMENTS, 60);
      return `r${place}: ${field.name}${args} ${this.#selection(getNamedType(field.type) as GraphQLCompositeType, 5)}`;
    });
    const head = 'query Random($yes: Boolean!, $no: Boolean!, $size: Int, $ids: [ID])';
    const uses =
      'uses: InfraDevice(first: $size, ids: $ids) @include(if: $yes) @skip(if: $yes) { count @skip(if: $no) }';
    return [`${head} { ${roots.join('\n')}\n${uses} }`, ...this.#fragments].join('\n');
  }

  #arguments(pool: readonly string[], percent: number): string {
    return this.#dice.chance(percent) ? `(${this.#dice.pick(pool)})` : '';
  }

  #selection(type: GraphQLCompositeType, depth: number): string {
    const parts = ['__typename'];
    const all = 'getFields' in type ? Object.values(type.getFields()) : [];
    const fields = all.filter(({name}) => name !== 'history');
    const usable = fields.filter(field => depth > 0 || !isCompositeType(getNamedType(field.type)));
    const must = usable.filter(({name}) => name === 'edges' || name === 'node');
    for (const field of must) if (this.#dice.chance(90)) parts.push(this.#field(field, depth));
    const wanted = usable.length === 0 ? 0 : 1 + this.#dice.below(4);
    for (let count = 0; count < wanted; count += 1) parts.push(this.#field(this.#dice.pick(usable), depth));
    if (isAbstractType(type) && this.#dice.chance(70)) {
      const possible = this.#schema
        .getPossibleTypes(type)
        .filter(({name}) => /^(Infra|Location|Builtin|CoreAccount)/.test(name));
      if (possible.length > 0) {
        const kind = this.#dice.pick(possible);
        parts.push(`... on ${kind.name} ${this.#selection(kind, depth - 1)}`);
      }
    }
    if (this.#dice.chance(15)) {
      const name = `F${this.#fragments.length}`;
      this.#fragments.push('');
      this.#fragments[Number(name.slice(1))] =
        `fragment ${name} on ${type.name} ${this.#selection(type, Math.max(0, depth - 2))}`;
      parts.push(`...${name}${this.#condition()}`);
    }
    return `{ ${parts.join(' ')} }`;
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    this.#aliases += 1;
    const args = LISTS.has(field.name) ? this.#arguments(ARGUMENTS, 40) : '';
    const type = getNamedType(field.type);
    const below = isCompositeType(type) ? ` ${this.#selection(type, depth - 1)}` : '';
    const alias = args !== '' || this.#dice.chance(10) ? `a${this.#aliases}: ` : '';
    return `${alias}${field.name}${args}${this.#condition()}${below}`;
  }

  #condition(): string {
    if (!this.#dice.chance(8)) return '';
    return this.#dice.pick([
      ' @skip(if: $yes)',
      ' @include(if: $no)',
      ' @include(if: $yes)',
      ' @skip(if: $no)',
    ]);
  }
}
