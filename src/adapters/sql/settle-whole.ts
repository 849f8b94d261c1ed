import {FOREVER} from '../../domain/time/instant.ts';
import type {DraftState} from './draft-state.ts';
import type {SqlValue, Statement, Work} from './statement.ts';
import {blind, read} from './statement.ts';

/*
 * What a branch says of whole kinds ends by ranges of the indexes: a tenth of what it costs entry by entry.
 */
const ENTRIES_PER_STEP = 2000;

/** Ends the open rows of some nodes. */
export const closeVersions = (own: DraftState, serials: readonly number[]): Statement =>
  blind(
    `UPDATE ver SET t = ?4 WHERE vid IN (SELECT v.vid FROM ${own.dialect.integers('?1')} p CROSS JOIN ver v
       WHERE v.node = p.value AND v.branch = ?2 AND v.t = ?3)`,
    [JSON.stringify(serials), own.branch, FOREVER, own.at],
  );

/** A table of open entries, how its rows stand among the closed ones, and by what they are told apart. */
interface Source {
  readonly table: 'ix' | 'uniq';
  readonly group: 'attr' | 'con';
  readonly closed: string;
  readonly place: readonly string[];
}

const INDEX: Source = {
  table: 'ix',
  group: 'attr',
  closed: 'branch, attr, val, sk, node, ?3, f',
  place: ['val', 'sk', 'node'],
};
const KEYS: Source = {
  table: 'uniq',
  group: 'con',
  closed: "branch, con, key, '', node, ?3, f",
  place: ['key'],
};

/** Ends all entries of an index on the branch, about so many, in steps. */
export const endIndex = (own: DraftState, index: number, entries: number): Generator<Work<void>> =>
  endGroup(own, INDEX, index, entries);

/** Ends all keys of a constraint on the branch, about so many, in steps. */
export const endKeys = (own: DraftState, constraint: number, entries: number): Generator<Work<void>> =>
  endGroup(own, KEYS, constraint, entries);

function* endGroup(own: DraftState, source: Source, serial: number, entries: number): Generator<Work<void>> {
  for (let left = entries; left > ENTRIES_PER_STEP; left -= ENTRIES_PER_STEP)
    yield endSome(own, source, serial);
  yield endUntil(own, source, serial, []);
}

function* endSome(own: DraftState, source: Source, serial: number): Work<void> {
  const bound = yield* boundAfter(own, source, serial);
  if (bound !== undefined) yield* endUntil(own, source, serial, bound);
}

/** The first place that a step leaves standing; none when it leaves nothing. */
function* boundAfter(
  {branch}: DraftState,
  {table, group, place}: Source,
  serial: number,
): Work<readonly SqlValue[] | undefined> {
  const names = place.join(', ');
  const [row] = yield read(
    `SELECT ${names} FROM ${table} WHERE branch = ?1 AND ${group} = ?2 ORDER BY ${names} LIMIT 1 OFFSET ${ENTRIES_PER_STEP}`,
    [branch, serial],
  );
  return row;
}

function* endUntil(
  {branch, at}: DraftState,
  {table, group, closed, place}: Source,
  serial: number,
  bound: readonly SqlValue[],
): Work<void> {
  const below = (first: number) =>
    bound.length === 0
      ? ''
      : ` AND (${place.join(', ')}) < (${bound.map((_, i) => `?${first + i}`).join(', ')})`;
  yield blind(
    `INSERT INTO ixh (branch, attr, val, sk, node, t, f) SELECT ${closed} FROM ${table}
     WHERE branch = ?1 AND ${group} = ?2 AND f < ?3${below(4)}`,
    [branch, serial, at, ...bound],
  );
  yield blind(`DELETE FROM ${table} WHERE branch = ?1 AND ${group} = ?2${below(3)}`, [
    branch,
    serial,
    ...bound,
  ]);
}
