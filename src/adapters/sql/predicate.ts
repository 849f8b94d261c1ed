import {assert, unreachable} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import {canonicalJson} from '../../base/json.ts';
import {parseInterface} from '../../domain/attribute/ip.ts';
import type {AttributeKind} from '../../domain/attribute/kinds.ts';
import {sortKey} from '../../domain/attribute/sort-key.ts';
import type {Condition, MetadataTest, Test} from '../../domain/query/node-query.ts';
import type {Dialect} from './dialect.ts';
import type {GraphLayout, KindLayout, RelationshipLayout, SlotLayout} from './layout.ts';
import type {Lineage} from './lineage.ts';
import {levelsOf} from './lineage.ts';
import type {Subject} from './slot-sql.ts';
import {plain, SlotSql, valueType} from './slot-sql.ts';
import type {Parameters, SqlValue} from './statement.ts';
import {edgeArms, versionAt} from './visibility.ts';

const TRUE = '1 = 1';
const FALSE = '1 = 0';
/** Never found by a search over any attribute. */
const SECRET: ReadonlySet<AttributeKind> = new Set(['Password', 'HashedPassword']);
const COMPARISON = {less: '<', lessOrEqual: '<=', greater: '>', greaterOrEqual: '>='} as const;

const TYPE_NAME = {boolean: 'boolean', number: 'number', text: 'string'} as const;

type TextTest = Extract<Test, {text: string}>;

/** Turns conditions into SQL that is never NULL: two-valued logic, as the port promises. */
export class Predicates {
  readonly #lineage: Lineage;
  readonly #layout: GraphLayout;
  readonly #dialect: Dialect;
  readonly #parameters: Parameters;
  readonly #slots: SlotSql;

  constructor(lineage: Lineage, layout: GraphLayout, dialect: Dialect, parameters: Parameters) {
    this.#lineage = lineage;
    this.#layout = layout;
    this.#dialect = dialect;
    this.#parameters = parameters;
    this.#slots = new SlotSql(lineage, dialect, parameters);
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
        return `(${this.#dialect.jsonValue(`${subject.alias}.doc`, ['i'], 'text')} IN (SELECT value FROM ${this.#dialect.texts(
          this.#parameters.bind(JSON.stringify(condition.in)),
        )} p))`;
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

  #attribute(slot: SlotLayout, property: string, test: Test, subject: Subject): string {
    const {kind} = slot.shape;
    const type = valueType(kind);
    if (property !== 'value') {
      const part = this.#dialect.property(kind, property, this.#slots.value(slot, subject));
      if ('value' in test) return this.#compared(part, test.op, plain(test.value));
      if (test.op === 'in') return this.#oneOf(part, test.values.map(plain));
      return 'text' in test ? this.#text(part, test) : `((${part}) IS NULL)`;
    }
    if (test.op === 'isNull') return `((${this.#slots.value(slot, subject)}) IS NULL)`;
    if ('text' in test) return this.#text(this.#textOf(slot, subject), test);
    if (type === 'structured') {
      const json = this.#slots.json(slot, subject);
      if (test.op === 'in') return this.#oneOf(json, test.values.filter(isPresent).map(canonicalJson));
      const tag = this.#parameters.bind(sortKey(kind, test.value).slice(0, 1));
      const stored = this.#dialect.orderableJson(kind, json);
      const wanted = this.#dialect.orderableJson(kind, this.#parameters.bind(canonicalJson(test.value)));
      return `(substr(${stored}, 1, 1) = ${tag} AND COALESCE(${stored} ${COMPARISON[test.op]} ${wanted}, FALSE))`;
    }
    const value = this.#slots.value(slot, subject);
    const fits = (item: Json) => typeof item === TYPE_NAME[type];
    if (test.op === 'in') return this.#oneOf(value, test.values.filter(fits).map(plain));
    if (!fits(test.value) || !isOrdered(kind, test.value)) return FALSE;
    const wanted = this.#dialect.orderable(kind, this.#parameters.bind(plain(test.value)));
    return `COALESCE((${this.#dialect.orderable(kind, value)}) ${COMPARISON[test.op]} ${wanted}, FALSE)`;
  }

  #compared(value: string, operator: keyof typeof COMPARISON, wanted: SqlValue): string {
    return `COALESCE((${value}) ${COMPARISON[operator]} ${this.#parameters.bind(wanted)}, FALSE)`;
  }

  #oneOf(value: string, wanted: readonly SqlValue[]): string {
    const present = wanted.filter(item => item !== null);
    if (present.length === 0) return FALSE;
    const list = present.map(item => this.#parameters.bind(item)).join(', ');
    return `COALESCE((${value}) IN (${list}), FALSE)`;
  }

  /** A value as text searches see it: a text as it is, everything else as its JSON. */
  #textOf(slot: SlotLayout, subject: Subject): string {
    return valueType(slot.shape.kind) === 'text'
      ? this.#slots.value(slot, subject)
      : this.#dialect.jsonContent(this.#slots.json(slot, subject));
  }

  #text(value: string, test: TextTest): string {
    const within = test.ignoreCase ? this.#dialect.fold(value) : `(${value})`;
    const text = this.#parameters.bind(test.ignoreCase ? test.text.toLowerCase() : test.text);
    if (test.op === 'contains') return `COALESCE(${this.#dialect.holdsText(within, text)}, FALSE)`;
    if (test.op === 'startsWith') return `COALESCE(substr(${within}, 1, length(${text})) = ${text}, FALSE)`;
    return `COALESCE(length(${within}) >= length(${text})
      AND substr(${within}, length(${within}) - length(${text}) + 1) = ${text}, FALSE)`;
  }

  #metadata(slot: SlotLayout, test: MetadataTest, subject: Subject): string {
    const document = this.#slots.document(slot, subject);
    const {field} = test;
    if ('in' in test) {
      const path = ['m', String(slot.slot), field === 'source' ? 's' : 'o'];
      const stored = this.#dialect.jsonValue(document, path, 'text');
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
      holds = `(NOT ${this.#slots.held(slot, document)} OR ${this.#dialect.jsonArrayHolds(document, ['d'], slot.slot)})`;
    }
    return test.equals ? `(${holds})` : `(NOT (${holds}))`;
  }

  #time(condition: Extract<Condition, {is: 'node'}>, subject: Subject): string {
    const instant =
      condition.field === 'updatedAt'
        ? this.#slots.updatedAt(subject)
        : this.#dialect.jsonValue(`${subject.alias}.doc`, ['c'], 'number');
    const parts: string[] = [];
    if (condition.from !== undefined) parts.push(`${instant} >= ${this.#parameters.bind(condition.from)}`);
    if (condition.until !== undefined) parts.push(`${instant} <= ${this.#parameters.bind(condition.until)}`);
    if (condition.by !== undefined) {
      const commit = this.#slots.alias();
      const isTheirs = this.#oneOf(`${commit}.author`, condition.by);
      parts.push(`EXISTS (SELECT 1 FROM commits ${commit} WHERE ${commit}.ts = ${instant} AND ${isTheirs})`);
    }
    return parts.length === 0 ? TRUE : `(${parts.join(' AND ')})`;
  }

  #related(condition: Extract<Condition, {is: 'related'}>, subject: Subject): string {
    const relationship = subject.layout.relationships.get(condition.relationship);
    if (relationship === undefined) return FALSE;
    assert(condition.transitive === undefined, 'transitive conditions are resolved before');
    const {where} = condition;
    const peers = this.#layout.members(relationship.shape.peer);
    if (peers.length === 0) return FALSE;
    const edges = this.#edgesOf(relationship, subject);
    const peer = this.#slots.alias();
    return `EXISTS (SELECT 1 FROM ${edges} CROSS JOIN ver ${peer}
      WHERE ${this.#isVisible(peers, peer, 'e.dst')} AND ${peer}.del = 0 AND ${this.#peerIs(peers, peer, where)})`;
  }

  /** The visible edges of the subject, as a table `e`. */
  #edgesOf({code, shape}: RelationshipLayout, subject: Subject): string {
    const rel = this.#parameters.bind(code);
    const arms = edgeArms(levelsOf(this.#lineage, shape.scope), this.#parameters).map(
      ({table, where}) =>
        `SELECT e.dst AS dst FROM ${table} e WHERE e.src = ${subject.alias}.node AND e.rel = ${rel} AND ${where}`,
    );
    return `(${arms.join(' UNION ALL ')}) e`;
  }

  /** That `alias` is the version of the node which the nearest level with a word on it shows. */
  #isVisible(kinds: readonly KindLayout[], alias: string, node: string): string {
    const scopes = new Set(kinds.map(kind => (kind.shape.scope === 'agnostic' ? 'agnostic' : 'aware')));
    const levels = [...scopes].flatMap(scope => levelsOf(this.#lineage, scope));
    if (levels.length === 1) return versionAt(levels[0]!, alias, node, this.#parameters);
    const nearest = levels.map(
      level =>
        `(SELECT n.vid FROM ver n WHERE ${versionAt(level, 'n', node, this.#parameters)} AND n.del < 2)`,
    );
    return `${alias}.vid = COALESCE(${nearest.join(', ')})`;
  }

  #peerIs(kinds: readonly KindLayout[], alias: string, where: Condition | undefined): string {
    if (where === undefined) return `${alias}.kind IN (${kinds.map(kind => kind.serial).join(', ')})`;
    const tests = kinds
      .map(kind => [kind.serial, this.compile(where, {layout: kind, alias})] as const)
      .filter(([, test]) => test !== FALSE)
      .map(([serial, test]) => `${alias}.kind = ${serial} AND ${test}`);
    return tests.length === 0 ? FALSE : `(${tests.join(' OR ')})`;
  }
}

const isPresent = (value: Json): boolean => value !== null;

/** Texts that are no addresses have no place among addresses. */
const isOrdered = (kind: AttributeKind, value: Json): boolean =>
  (kind !== 'IPHost' && kind !== 'IPNetwork') ||
  (typeof value === 'string' && parseInterface(value) !== null);
