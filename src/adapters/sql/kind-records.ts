import {must} from '../../base/assert.ts';
import type {BoundedMap} from '../../base/bounded-map.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {KindRecord} from '../../ports/graph-store.ts';
import type {KindLayout} from './layout.ts';
import {GraphLayout, layoutKind} from './layout.ts';
import type {Level, Lineage} from './lineage.ts';
import type {Names} from './names.ts';
import {unsealed} from './sealed-text.ts';
import type {Row, Work} from './statement.ts';
import {abreast, read} from './statement.ts';

/** The instants at which each branch's own schema changed, oldest first. */
export class SchemaInstants {
  readonly #byBranch = new Map<number, number[]>();

  static *load(): Work<SchemaInstants> {
    const instants = new SchemaInstants();
    const rows = yield read(
      `SELECT branch, ts FROM commits WHERE kinds > 0
       UNION SELECT branch, since FROM branch_base WHERE kinds > 0 ORDER BY 2`,
      [],
    );
    for (const [branch, instant] of rows) instants.add(branch as number, instant as number);
    return instants;
  }

  add(branch: number, instant: number): void {
    const list = this.#byBranch.get(branch);
    if (list === undefined) this.#byBranch.set(branch, [instant]);
    else if (list.at(-1) !== instant) list.push(instant);
  }

  last(branch: number, until: Instant): number | undefined {
    return this.#byBranch.get(branch)?.findLast(instant => instant <= until);
  }

  /**
   * Names the schema of a lineage. A level that never changed the schema adds nothing, so branches without schema
   * changes share their origin's, and all that is cached for it.
   */
  keyOf(levels: readonly Level[]): string {
    const parts: string[] = [];
    for (const {branch, until} of levels) {
      const last = this.last(branch, until);
      if (last !== undefined) parts.push(`${branch}.${last}`);
    }
    return parts.join('/');
  }
}

/** The kinds that a lineage shows: the nearest level's word on each. */
export function* loadRecords(levels: readonly Level[]): Work<Map<string, KindRecord>> {
  const places = yield* placesOf(levels);
  const records = yield* abreast(places.map(loadRecord));
  return new Map(places.map(({kind}, index) => [kind, records[index]!]));
}

/** Where the row of a kind stands; what it says never changes once it is durable. */
interface Place {
  readonly branch: number;
  readonly kind: string;
  readonly from: number;
}

function* placesOf(levels: readonly Level[]): Work<readonly Place[]> {
  const seen = new Set<string>();
  const places: Place[] = [];
  for (const {branch, until} of levels) {
    const rows: readonly Row[] = yield read(
      'SELECT kind, del, f FROM kind_ver WHERE branch = ?1 AND t > ?2 AND f <= ?2',
      [branch, until],
    );
    for (const [kind, del, from] of rows) {
      if (seen.has(kind as string)) continue;
      seen.add(kind as string);
      if (del === 0) places.push({branch, kind: kind as string, from: from as number});
    }
  }
  return places;
}

function* loadRecord({branch, kind, from}: Place): Work<KindRecord> {
  const [row] = yield read('SELECT doc FROM kind_ver WHERE branch = ?1 AND kind = ?2 AND f = ?3', [
    branch,
    kind,
    from,
  ]);
  const stored = must(row, `the record of ${kind}`)[0] as string;
  return JSON.parse(unsealed(stored, `The kind ${kind}`)) as KindRecord;
}

/** `known` are the layouts of durable rows, by their place: a change of schema leaves most as they are. */
export function* loadLayout(
  lineage: Lineage,
  key: string,
  names: Names,
  known: Pick<BoundedMap<string, KindLayout>, 'get' | 'set'> = new Map(),
): Work<GraphLayout> {
  const places = yield* placesOf(lineage.branch);
  const layouts = new Map(places.map(place => [place, known.get(nameOf(place))]));
  const missing = places.filter(place => layouts.get(place) === undefined);
  const records = yield* abreast(missing.map(loadRecord));
  if (!records.every(({shape}) => names.knows(shape))) yield* names.reload();
  for (const [index, place] of missing.entries()) {
    const layout = layoutKind(records[index]!, names);
    known.set(nameOf(place), layout);
    layouts.set(place, layout);
  }
  return new GraphLayout(
    key,
    places.map(place => layouts.get(place)!),
  );
}

const nameOf = ({branch, from, kind}: Place): string => `${branch}/${from}/${kind}`;
