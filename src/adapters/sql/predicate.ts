import {assert, unreachable} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import {canonicalJson} from '../../base/json.ts';
import type {AttributeKind} from '../../domain/attribute/kinds.ts';
import type {Condition, MetadataTest, Test} from '../../domain/query/node-query.ts';
import type {Dialect} from './dialect.ts';
import type {GraphLayout, KindLayout, SlotLayout} from './layout.ts';
import type {Lineage} from './lineage.ts';
import {levelsOf} from './lineage.ts';
import type {Parameters, SqlValue} from './statement.ts';
import {edgeArms, hiddenVersion, versionAt} from './visibility.ts';

const TRUE = '1 = 1';
const FALSE = '1 = 0';
/** Never found by a search over any attribute. */
const SECRET: ReadonlySet<AttributeKind> = new Set(['Password', 'HashedPassword']);
const BOOLEAN: ReadonlySet<AttributeKind> = new Set(['Boolean', 'Checkbox']);
const NUMBER: ReadonlySet<AttributeKind> = new Set(['Number', 'Bandwidth', 'NumberPool']);
const COMPARISON = {less: '<', lessOrEqual: '<=', greater: '>', greaterOrEqual: '>='} as const;

type TextTest = Extract<Test, {text: string}>;

/** The SQL names under which a predicate finds the node it judges. */
export interface Subject {
  readonly layout: KindLayout;
  /** An alias of `ver`. */
  readonly alias: string;
}

/** Turns conditions into SQL that is never NULL: two-valued logic, as the port promises. */
export class Predicates {
  readonly #lineage: Lineage;
  readonly #layout: GraphLayout;
  readonly #dialect: Dialect;
  readonly #parameters: Parameters;
  #aliases = 0;

  constructor(lineage: Lineage, layout: GraphLayout, dialect: Dialect, parameters: Parameters) {
    this.#lineage = lineage;
    this.#layout = layout;
    this.#dialect = dialect;
    this.#parameters = parameters;
  }

  compile(condition: Condition, subject: Subject): string {
    switch (condition.is) {
      case 'all':
        return condition.of.length === 0
          ? TRUE
          : `(${condition.of.map(of => this.compile(of, subject)).join(' AND ')})`;
      case 'any':
        return condition.of.length === 0
          ? FALSE
          : `(${condition.of.map(of => this.compile(of, subject)).join(' OR ')})`;
      case 'not':
        return `NOT ${this.compile(condition.of, subject)}`;
      case 'id':
        return `(${this.#dialect.jsonValue(`${subject.alias}.doc`, ['i'])} IN (SELECT value FROM ${this.#dialect.texts(
          this.#parameters.bind(JSON.stringify(condition.in)),
        )}))`;
      case 'kind':
        return condition.in.some(
          name => name === subject.layout.shape.name || subject.layout.shape.generics.includes(name),
        )
          ? TRUE
          : FALSE;
      case 'attribute': {
        const slot = subject.layout.slots.get(condition.attribute);
        return slot === undefined
          ? FALSE
          : this.#attribute(slot, condition.property, condition.test, subject);
      }
      case 'anyAttribute': {
        const tests = [...subject.layout.slots.values()]
          .filter(slot => !SECRET.has(slot.shape.kind))
          .map(slot => this.#attribute(slot, 'value', condition.test, subject));
        return tests.length === 0 ? FALSE : `(${tests.join(' OR ')})`;
      }
      case 'metadata': {
        const slots =
          condition.attribute === '*'
            ? [...subject.layout.slots.values()]
            : [subject.layout.slots.get(condition.attribute)].filter(slot => slot !== undefined);
        const tests = slots.map(slot => this.#metadata(slot, condition.test, subject));
        return tests.length === 0 ? FALSE : `(${tests.join(' OR ')})`;
      }
      case 'node':
        return this.#time(condition, subject);
      case 'related':
        return this.#related(condition, subject);
      default:
        return unreachable(condition);
    }
  }

  /** The stored value of a slot, as the engine's own text, number or truth value. */
  value(slot: SlotLayout, subject: Subject): string {
    const document = this.#documentOf(slot, subject);
    const value = this.#dialect.jsonValue(document, ['v', slot.slot]);
    const {late} = slot.shape;
    if (late === undefined || late === null) return value;
    return `CASE WHEN ${this.#held(slot, document)} THEN ${value} ELSE ${this.#parameters.bind(plain(late))} END`;
  }

  #held(slot: SlotLayout, document: string): string {
    return `(${this.#dialect.jsonHas(document, ['v', slot.slot])} AND NOT ${this.#dialect.jsonArrayHolds(
      document,
      ['h'],
      slot.slot,
    )})`;
  }

  /** The document that holds the slot: the node's, or the nearest part of a mixed kind that has it. */
  #documentOf(slot: SlotLayout, {layout, alias}: Subject): string {
    if (!slot.isPart) return `${alias}.doc`;
    const levels = layout.shape.scope === 'agnostic' ? this.#lineage.branch : this.#lineage.global;
    const parts = levels.map(level => {
      const name = this.#alias();
      return `(SELECT ${name}.doc FROM ver ${name}
        WHERE ${versionAt(level, name, `${alias}.node`, this.#parameters)} AND ${name}.del = 2)`;
    });
    const nearest = `COALESCE(${[...parts, `${alias}.doc`].join(', ')})`;
    return `CASE WHEN ${this.#held(slot, nearest)} THEN ${nearest} ELSE ${alias}.doc END`;
  }

  #attribute(slot: SlotLayout, property: string, test: Test, subject: Subject): string {
    const {kind} = slot.shape;
    const stored = this.value(slot, subject);
    const value = property === 'value' ? stored : this.#dialect.property(kind, property, stored);
    if (test.op === 'isNull') return `((${value}) IS NULL)`;
    if (test.op === 'in') {
      const isValue = property === 'value';
      return this.#oneOf(value, isValue ? test.values.filter(item => fits(kind, item)) : test.values);
    }
    if ('text' in test) return this.#text(asText(kind, value), test);
    if (test.value === null) return FALSE;
    const wanted = this.#parameters.bind(plain(test.value));
    const [left, right] =
      property === 'value'
        ? [this.#dialect.orderable(kind, value), this.#dialect.orderable(kind, wanted)]
        : [value, wanted];
    return `COALESCE((${left}) ${COMPARISON[test.op]} ${right}, FALSE)`;
  }

  #oneOf(value: string, wanted: readonly Json[]): string {
    const present = wanted.filter(item => item !== null);
    if (present.length === 0) return FALSE;
    const list = present.map(item => this.#parameters.bind(plain(item))).join(', ');
    return `COALESCE((${value}) IN (${list}), FALSE)`;
  }

  #text(value: string, test: TextTest): string {
    const within = test.ignoreCase ? this.#dialect.fold(value) : `(${value})`;
    const text = this.#parameters.bind(test.ignoreCase ? test.text.toLowerCase() : test.text);
    if (test.op === 'contains') return `COALESCE(instr(${within}, ${text}) > 0, FALSE)`;
    if (test.op === 'startsWith') return `COALESCE(substr(${within}, 1, length(${text})) = ${text}, FALSE)`;
    return `COALESCE(length(${within}) >= length(${text})
      AND substr(${within}, length(${within}) - length(${text}) + 1) = ${text}, FALSE)`;
  }

  #metadata(slot: SlotLayout, test: MetadataTest, subject: Subject): string {
    const document = this.#documentOf(slot, subject);
    const {field} = test;
    if ('in' in test) {
      const stored = this.#dialect.jsonValue(document, [
        'm',
        String(slot.slot),
        field === 'source' ? 's' : 'o',
      ]);
      return this.#oneOf(stored, test.in);
    }
    let holds: string;
    if (field === 'isProtected') {
      holds = this.#dialect.jsonHas(document, ['m', String(slot.slot), 'p']);
    } else if (field === 'isVisible') {
      holds = `NOT ${this.#dialect.jsonHas(document, ['m', String(slot.slot), 'h'])}`;
    } else if (field === 'isFromProfile') {
      holds = this.#dialect.jsonArrayHolds(document, ['p'], slot.slot);
    } else {
      holds = `(NOT ${this.#held(slot, document)} OR ${this.#dialect.jsonArrayHolds(document, ['d'], slot.slot)})`;
    }
    return test.equals ? `(${holds})` : `(NOT (${holds}))`;
  }

  #time(condition: Extract<Condition, {is: 'node'}>, {alias}: Subject): string {
    const instant =
      condition.field === 'updatedAt' ? `${alias}.f` : this.#dialect.jsonValue(`${alias}.doc`, ['c']);
    const parts: string[] = [];
    if (condition.from !== undefined) parts.push(`${instant} >= ${this.#parameters.bind(condition.from)}`);
    if (condition.until !== undefined) parts.push(`${instant} <= ${this.#parameters.bind(condition.until)}`);
    return parts.length === 0 ? TRUE : `(${parts.join(' AND ')})`;
  }

  #related(condition: Extract<Condition, {is: 'related'}>, subject: Subject): string {
    const relationship = subject.layout.relationships.get(condition.relationship);
    if (relationship === undefined) return FALSE;
    assert(condition.transitive === undefined, 'transitive conditions are resolved before');
    const {where} = condition;
    const peers = this.#layout.members(relationship.shape.peer);
    const edge = this.#alias();
    const rel = this.#parameters.bind(relationship.code);
    const tests: string[] = [];
    for (const arm of edgeArms(levelsOf(this.#lineage, relationship.shape.scope), this.#parameters)) {
      const visible = arm.where.replaceAll(/\be\./g, `${edge}.`);
      for (const scope of ['aware', 'agnostic'] as const) {
        const kinds = peers.filter(kind => (kind.shape.scope === 'agnostic') === (scope === 'agnostic'));
        if (kinds.length === 0) continue;
        const levels = levelsOf(this.#lineage, scope);
        for (const [depth, level] of levels.entries()) {
          const peer = this.#alias();
          const hidden = hiddenVersion(levels.slice(0, depth), `${peer}.node`, this.#parameters);
          tests.push(`EXISTS (SELECT 1 FROM ${arm.table} ${edge} CROSS JOIN ver ${peer}
            WHERE ${edge}.src = ${subject.alias}.node AND ${edge}.rel = ${rel} AND ${visible}
            AND ${versionAt(level, peer, `${edge}.dst`, this.#parameters)} AND ${peer}.del = 0${hidden}
            AND ${this.#peerIs(kinds, peer, where)})`);
        }
      }
    }
    return tests.length === 0 ? FALSE : `(${tests.join(' OR ')})`;
  }

  #peerIs(kinds: readonly KindLayout[], alias: string, where: Condition | undefined): string {
    if (where === undefined) return `${alias}.kind IN (${kinds.map(kind => kind.serial).join(', ')})`;
    const tests = kinds
      .map(kind => [kind.serial, this.compile(where, {layout: kind, alias})] as const)
      .filter(([, test]) => test !== FALSE)
      .map(([serial, test]) => `${alias}.kind = ${serial} AND ${test}`);
    return tests.length === 0 ? FALSE : `(${tests.join(' OR ')})`;
  }

  #alias(): string {
    this.#aliases += 1;
    return `a${this.#aliases}`;
  }
}

/** A JSON value as the engine compares what `jsonValue` gives it. */
export function plain(value: Json): SqlValue {
  if (value === true) return 1;
  if (value === false) return 0;
  if (value === null || typeof value !== 'object') return value;
  return canonicalJson(value);
}

/** A value of another type than the attribute's is never equal, whatever the engine makes of it. */
function fits(kind: AttributeKind, value: Json): boolean {
  if (BOOLEAN.has(kind)) return typeof value === 'boolean';
  if (NUMBER.has(kind)) return typeof value === 'number';
  return kind === 'Any' || (typeof value !== 'boolean' && typeof value !== 'number');
}

function asText(kind: AttributeKind, value: string): string {
  if (BOOLEAN.has(kind)) return `CASE (${value}) WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`;
  return NUMBER.has(kind) ? `CAST((${value}) AS TEXT)` : `(${value})`;
}
