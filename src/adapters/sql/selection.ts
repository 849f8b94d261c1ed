import type {Json} from '../../base/json.ts';
import type {AttributeKind} from '../../domain/attribute/kinds.ts';
import {sortKey} from '../../domain/attribute/sort-key.ts';
import type {Condition, Cursor, Test} from '../../domain/query/node-query.ts';
import type {KindLayout, SlotLayout} from './layout.ts';
import {valueKey} from './layout.ts';
import type {Level} from './lineage.ts';
import {levelsOf} from './lineage.ts';
import {Predicates} from './predicate.ts';
import type {Reader} from './reader.ts';
import type {Statement} from './statement.ts';
import {Parameters, read} from './statement.ts';
import {hiddenVersion, versionAt} from './visibility.ts';

/** Where the rows of a selection come from; what remains is filtered from the documents. */
export type Source =
  | {readonly is: 'index'; readonly index: number; readonly keys: readonly string[]}
  | {
      readonly is: 'range';
      readonly index: number;
      readonly from: string | null;
      readonly until: string | null;
    }
  | {readonly is: 'serials'; readonly serials: readonly number[]};

export interface Selection {
  readonly kind: KindLayout;
  readonly source: Source;
  readonly rest: readonly Condition[];
}

/** More values than this are not looked up one by one. */
const KEYS_MAX = 24;
const PREFIX_CHARACTERS_MAX = 100;
const ORDERED_CHARACTERS_MAX = 200;
const AFTER_EVERY_TEXT = '\u{10ffff}';

/** Kinds of which one value may be written in several ways that sort as one. */
const SAME_KEY_FOR_SEVERAL: ReadonlySet<AttributeKind> = new Set(['IPHost', 'IPNetwork', 'DateTime']);

/** Indexes that every level of the lineage keeps; only those answer for the whole lineage. */
export type HasIndex = (kind: KindLayout, index: number) => boolean;

/** The conjuncts of a condition. */
export function conjuncts(condition: Condition | undefined): readonly Condition[] {
  if (condition === undefined) return [];
  return condition.is === 'all' ? condition.of.flatMap(of => conjuncts(of)) : [condition];
}

/**
 * Picks the index that narrows most: a value of a unique attribute, then a value of any indexed attribute, then
 * a range; else all objects of the kind, in order.
 */
export function selectByIndex(
  kind: KindLayout,
  conditions: readonly Condition[],
  hasIndex: HasIndex,
): Selection | undefined {
  const options: {
    readonly source: Source;
    readonly conjunct: Condition;
    readonly rank: number;
    readonly exact: boolean;
  }[] = [];
  for (const conjunct of conditions) {
    if (conjunct.is !== 'attribute' || conjunct.property !== 'value') continue;
    const slot = kind.slots.get(conjunct.attribute);
    if (slot?.index === undefined || !hasIndex(kind, slot.index)) continue;
    const source = indexSource(slot, conjunct.test);
    if (source === undefined) continue;
    const isUnique = kind.unique.some(
      ({shape}) =>
        shape.parts.length === 1 &&
        shape.parts[0]!.is === 'attribute' &&
        shape.parts[0]!.name === conjunct.attribute,
    );
    const rank = source.is === 'range' ? 2 : isUnique ? 0 : 1;
    const exact = source.is !== 'range' && !SAME_KEY_FOR_SEVERAL.has(slot.shape.kind);
    options.push({source, conjunct, rank, exact});
  }
  const best = options.sort((a, b) => a.rank - b.rank)[0];
  if (best !== undefined) {
    return {
      kind,
      source: best.source,
      rest: best.exact ? conditions.filter(item => item !== best.conjunct) : conditions,
    };
  }
  return hasIndex(kind, kind.membership)
    ? {kind, source: {is: 'index', index: kind.membership, keys: ['']}, rest: conditions}
    : undefined;
}

function indexSource(slot: SlotLayout, test: Test): Source | undefined {
  const index = slot.index!;
  const {late, kind} = slot.shape;
  const keyOf = (value: Json) => valueKey(slot.shape, 'value', value);
  if (test.op === 'isNull' || test.op === 'in') {
    const values = test.op === 'isNull' ? [null] : test.values.filter(value => value !== null);
    if (values.length > KEYS_MAX) return undefined;
    if (values.length === 0) return {is: 'serials', serials: []};
    const keys = [...new Set(values.map(keyOf))];
    return late !== undefined && keys.includes(keyOf(late)) ? undefined : {is: 'index', index, keys};
  }
  if (late !== undefined && late !== null) return undefined;
  if ('text' in test) {
    const isPrefix = test.op === 'startsWith' && !test.ignoreCase && kind === 'Text';
    if (!isPrefix || test.text === '' || test.text.length > PREFIX_CHARACTERS_MAX) return undefined;
    const from = sortKey(kind, test.text);
    return {is: 'range', index, from, until: from + AFTER_EVERY_TEXT};
  }
  if (test.value === null) return undefined;
  const key = boundKey(slot, test.value);
  if (key === undefined) return undefined;
  return test.op === 'less' || test.op === 'lessOrEqual'
    ? {is: 'range', index, from: null, until: key + AFTER_EVERY_TEXT}
    : {is: 'range', index, from: key, until: null};
}

/** A key that bounds a range; keys of long texts keep only their beginning in order. */
function boundKey(slot: SlotLayout, value: Json): string | undefined {
  const key = valueKey(slot.shape, 'value', value);
  if (key.length <= ORDERED_CHARACTERS_MAX) return key;
  if (typeof value !== 'string') return undefined;
  return valueKey(slot.shape, 'value', [...value].slice(0, PREFIX_CHARACTERS_MAX).join(''));
}

/** Rows `(order key, node, version)` of the selection, in default order. */
export function selectStatement(
  reader: Reader,
  selection: Selection,
  slice: {readonly after: Cursor | null; readonly limit: number | null; readonly offset: number},
): Statement {
  const parameters = new Parameters();
  const arms = selectionArms(reader, selection, slice.after, parameters, true);
  const limit = slice.limit === null ? '' : ` LIMIT ${parameters.bind(slice.limit)}`;
  const {limit: rows, offset: skipped} = slice;
  const rowsMax = rows === null ? null : () => parameters.bind(rows + skipped);
  const ordered = arms.length === 1 ? arms : arms.map(arm => reader.dialect.orderedArm(arm, rowsMax));
  const offset = slice.offset === 0 ? '' : ` OFFSET ${parameters.bind(slice.offset)}`;
  return read(`${ordered.join(' UNION ALL ')} ORDER BY 1, 2${limit}${offset}`, parameters.values);
}

export function countStatement(reader: Reader, selection: Selection): Statement {
  const parameters = new Parameters();
  const {source, rest, kind} = selection;
  const isPlain = source.is === 'index' && rest.length === 0 && kind.shape.scope !== 'agnostic';
  const arms = isPlain
    ? signedCounts(reader, kind, source, parameters)
    : selectionArms(reader, selection, null, parameters, false);
  return read(
    arms.length === 1
      ? arms[0]!
      : `SELECT sum(n) FROM (${arms.map((arm, place) => `SELECT n FROM (${arm}) s${place}`).join(' UNION ALL ')}) s`,
    parameters.values,
  );
}

/**
 * What each level has, less what nearer levels hide of it: the cost of hiding follows what the branches say, not what
 * they stand on.
 */
function signedCounts(
  reader: Reader,
  kind: KindLayout,
  source: Extract<Source, {is: 'index'}>,
  parameters: Parameters,
): string[] {
  const levels = levelsOf(reader.lineage, kind.shape.scope);
  const isWhole = source.index === kind.membership;
  const arms: string[] = [];
  for (const [depth, level] of levels.entries()) {
    const nearer = levels.slice(0, depth);
    for (const table of level.isCurrent ? ['ix'] : ['ix', 'ixh']) {
      for (const val of valueTests(source, parameters)) {
        arms.push(indexArm(level, [], table, source.index, val, '', null, parameters, false));
        if (depth > 0 && !isWhole)
          arms.push(hiddenCount(nearer, level, table, kind, source.index, val, parameters));
      }
    }
    if (depth > 0 && isWhole) arms.push(hiddenMembers(nearer, level, kind, parameters));
  }
  return arms;
}

/** Minus the number of objects of a level that a nearer level has a word on: each has one entry among all of its kind. */
function hiddenMembers(
  nearer: readonly Level[],
  level: Level,
  kind: KindLayout,
  parameters: Parameters,
): string {
  return `SELECT -count(*) AS n FROM (${wordsOn(kind, nearer, parameters)}) h CROSS JOIN ver v
    WHERE ${versionAt(level, 'v', 'h.node', parameters)} AND v.del = 0`;
}

/** Minus the number of index entries of a level whose nodes a nearer level has a word on. */
function hiddenCount(
  nearer: readonly Level[],
  level: Level,
  table: string,
  kind: KindLayout,
  index: number,
  val: string,
  parameters: Parameters,
): string {
  const until = parameters.bind(level.until);
  const closed = table === 'ixh' ? ` AND x.t > ${until}` : '';
  return `SELECT -count(*) AS n FROM (${wordsOn(kind, nearer, parameters)}) h CROSS JOIN ver v CROSS JOIN ${table} x
    WHERE ${versionAt(level, 'v', 'h.node', parameters)} AND v.del = 0
    AND x.branch = ${parameters.bind(level.branch)} AND x.attr = ${parameters.bind(index)} AND ${val}
    AND x.sk = v.sk AND x.node = v.node AND x.f <= ${until}${closed}`;
}

/** The objects of a kind that some levels have a word on. */
const wordsOn = (kind: KindLayout, levels: readonly Level[], parameters: Parameters): string =>
  levels
    .map(({branch, until}) => {
      const at = parameters.bind(until);
      return `SELECT w.node AS node FROM ver w WHERE w.branch = ${parameters.bind(branch)} AND w.branch > 2
        AND w.kind = ${kind.serial} AND w.t > ${at} AND w.f <= ${at} AND w.del < 2`;
    })
    .join(' UNION ');

function selectionArms(
  reader: Reader,
  {kind, source, rest}: Selection,
  after: Cursor | null,
  parameters: Parameters,
  wantsRows: boolean,
): string[] {
  const levels = levelsOf(reader.lineage, kind.shape.scope);
  const predicates = new Predicates(reader.lineage, reader.layout, reader.dialect, parameters);
  const filter = rest
    .map(condition => ` AND ${predicates.compile(condition, {layout: kind, alias: 'v'})}`)
    .join('');
  const arms: string[] = [];
  for (const [depth, level] of levels.entries()) {
    const nearer = levels.slice(0, depth);
    if (source.is === 'serials') {
      const list = reader.dialect.integers(parameters.bind(JSON.stringify(source.serials)));
      const columns = wantsRows ? 'v.sk, v.node, v.vid' : 'count(*) AS n';
      arms.push(`SELECT ${columns} FROM ${list} p CROSS JOIN ver v
        WHERE ${versionAt(level, 'v', 'p.value', parameters)} AND v.kind = ${kind.serial} AND v.del = 0${filter}
        ${keyset('v', after, parameters)}${hiddenVersion(nearer, 'v.node', parameters)}`);
    } else {
      for (const table of level.isCurrent ? ['ix'] : ['ix', 'ixh']) {
        for (const val of valueTests(source, parameters)) {
          arms.push(indexArm(level, nearer, table, source.index, val, filter, after, parameters, wantsRows));
        }
      }
    }
  }
  return arms;
}

function indexArm(
  level: Level,
  nearer: readonly Level[],
  table: string,
  index: number,
  val: string,
  filter: string,
  after: Cursor | null,
  parameters: Parameters,
  wantsRows: boolean,
): string {
  const found = `x.branch = ${parameters.bind(level.branch)} AND x.attr = ${parameters.bind(index)} AND ${val}
    ${entryAt(level, table, parameters)}${keyset('x', after, parameters)}${hiddenVersion(nearer, 'x.node', parameters)}`;
  if (!wantsRows && filter === '') return `SELECT count(*) AS n FROM ${table} x WHERE ${found}`;
  const columns = wantsRows ? 'x.sk, x.node, v.vid' : 'count(*) AS n';
  return `SELECT ${columns} FROM ${table} x CROSS JOIN ver v
    WHERE ${found} AND ${versionAt(level, 'v', 'x.node', parameters)} AND v.del = 0${filter}`;
}

/** The condition that the level has the entry at its instant; where nothing came or went since, every one is there. */
function entryAt(level: Level, table: string, parameters: Parameters): string {
  if (level.isCurrent) return '';
  const until = parameters.bind(level.until);
  return ` AND x.f <= ${until}${table === 'ixh' ? ` AND x.t > ${until}` : ''}`;
}

function valueTests(source: Exclude<Source, {is: 'serials'}>, parameters: Parameters): readonly string[] {
  if (source.is === 'index') return source.keys.map(key => `x.val = ${parameters.bind(key)}`);
  const from = source.from === null ? [`x.val > ''`] : [`x.val >= ${parameters.bind(source.from)}`];
  const until = source.until === null ? [] : [`x.val < ${parameters.bind(source.until)}`];
  return [[...from, ...until].join(' AND ')];
}

function keyset(alias: string, after: Cursor | null, parameters: Parameters): string {
  if (after === null) return '';
  return ` AND (${alias}.sk, ${alias}.node) > (${parameters.bind(after[0])}, ${parameters.bind(after[1])})`;
}
