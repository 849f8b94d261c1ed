import type {Json} from '../../base/json.ts';
import {canonicalJson} from '../../base/json.ts';
import type {AttributeKind} from '../../domain/attribute/kinds.ts';
import type {Dialect, ValueType} from './dialect.ts';
import type {KindLayout, SlotLayout} from './layout.ts';
import type {Lineage} from './lineage.ts';
import type {Parameters, SqlValue} from './statement.ts';
import {versionAt} from './visibility.ts';

const BOOLEAN: ReadonlySet<AttributeKind> = new Set(['Boolean', 'Checkbox']);
const NUMBER: ReadonlySet<AttributeKind> = new Set(['Number', 'Bandwidth', 'NumberPool']);
const STRUCTURED: ReadonlySet<AttributeKind> = new Set(['List', 'JSON', 'Any']);

export function valueType(kind: AttributeKind): ValueType {
  if (BOOLEAN.has(kind)) return 'boolean';
  if (NUMBER.has(kind)) return 'number';
  return STRUCTURED.has(kind) ? 'structured' : 'text';
}

/** The SQL names under which a predicate finds the node it judges. */
export interface Subject {
  readonly layout: KindLayout;
  /** An alias of `ver`. */
  readonly alias: string;
}

/** Where in a statement the values of attributes stand. */
export class SlotSql {
  readonly #lineage: Lineage;
  readonly #dialect: Dialect;
  readonly #parameters: Parameters;
  #aliases = 0;

  constructor(lineage: Lineage, dialect: Dialect, parameters: Parameters) {
    this.#lineage = lineage;
    this.#dialect = dialect;
    this.#parameters = parameters;
  }

  /** A name that nothing else in the statement has. */
  alias(): string {
    this.#aliases += 1;
    return `a${this.#aliases}`;
  }

  /** The value of a slot as the engine's own text, number or truth value. */
  value(slot: SlotLayout, subject: Subject): string {
    const document = this.document(slot, subject);
    const value = this.#dialect.jsonValue(document, ['v', slot.slot], valueType(slot.shape.kind));
    return this.#orLate(slot, document, value, plain);
  }

  /** The value of a slot as JSON text; of an attribute that was never set, the text of null. */
  json(slot: SlotLayout, subject: Subject): string {
    const document = this.document(slot, subject);
    const value = `COALESCE(${this.#dialect.jsonText(document, ['v', slot.slot])}, 'null')`;
    return this.#orLate(slot, document, value, canonicalJson);
  }

  held(slot: SlotLayout, document: string): string {
    const isThere = this.#dialect.jsonHas(document, ['v', slot.slot]);
    return `(${isThere} AND NOT ${this.#dialect.jsonArrayHolds(document, ['h'], slot.slot)})`;
  }

  /** The document that holds the slot: the node's, or the nearest part of a mixed kind that has it. */
  document(slot: SlotLayout, {layout, alias}: Subject): string {
    if (!slot.isPart) return `${alias}.doc`;
    const nearest = this.#nearestPart('doc', {layout, alias}, `${alias}.doc`);
    return `CASE WHEN ${this.held(slot, nearest)} THEN ${nearest} ELSE ${alias}.doc END`;
  }

  /** When a value of the node last changed, those that live elsewhere included. */
  updatedAt(subject: Subject): string {
    const {alias, layout} = subject;
    const own = `COALESCE(${this.#dialect.jsonValue(`${alias}.doc`, ['a'], 'number')}, ${alias}.f)`;
    return layout.isMixed ? this.#dialect.greatest(own, this.#nearestPart('f', subject, '0')) : own;
  }

  #nearestPart(column: 'doc' | 'f', {layout, alias}: Subject, otherwise: string): string {
    const levels = layout.shape.scope === 'agnostic' ? this.#lineage.branch : this.#lineage.global;
    const parts = levels.map(level => {
      const name = this.alias();
      return `(SELECT ${name}.${column} FROM ver ${name}
        WHERE ${versionAt(level, name, `${alias}.node`, this.#parameters)} AND ${name}.del = 2)`;
    });
    return `COALESCE(${[...parts, otherwise].join(', ')})`;
  }

  #orLate(slot: SlotLayout, document: string, value: string, write: (late: Json) => SqlValue): string {
    const {late} = slot.shape;
    if (late === undefined || late === null) return value;
    return `CASE WHEN ${this.held(slot, document)} THEN ${value} ELSE ${this.#parameters.bind(write(late))} END`;
  }
}

/** A JSON value as the engine compares what `jsonValue` gives it. */
export function plain(value: Json): SqlValue {
  if (value === true) return 1;
  if (value === false) return 0;
  if (value === null || typeof value !== 'object') return value;
  return canonicalJson(value);
}
