import {describe, expect, test} from 'vitest';
import {blind} from '../sql/statement.ts';
import {BlindWrites} from './blind-writes.ts';

const TYPES = new Map([
  ['ver.vid', 'bigint'],
  ['ver.t', 'bigint'],
  ['ver.doc', 'json'],
  ['uniq.branch', 'bigint'],
  ['uniq.con', 'bigint'],
  ['uniq.key', 'text'],
  ['node.id', 'bigint'],
  ['node.uuid', 'text'],
]);

const OPEN = 'INSERT INTO ver (vid, doc) VALUES (?1, ?2)';
const CLOSE = 'UPDATE ver SET t = ?2 WHERE vid = ?1';
const CLOSE_ALL = 'UPDATE ver SET t = ?2 WHERE node = ?1';
const NEW_NODE = 'INSERT INTO node (id, uuid) VALUES (?1, ?2) ON CONFLICT (uuid) DO NOTHING';

function sent(...statements: readonly ReturnType<typeof blind>[]) {
  const writes = new BlindWrites(TYPES);
  for (const statement of statements) writes.add(statement);
  return writes.take().map(({sql, params}) => [sql.split(' ').slice(0, 3).join(' '), params] as const);
}

describe('writes that are gathered', () => {
  test('about many rows become one statement, with an array for each parameter', () => {
    expect(sent(blind(OPEN, [1, '{"a":"\\"x"}']), blind(OPEN, [2, '[]']))).toEqual([
      ['INSERT INTO ver', ['{1,2}', '{"{\\"a\\":\\"\\\\\\"x\\"}","[]"}']],
    ]);
  });

  test('of different kinds on different rows are brought together', () => {
    expect(
      sent(blind(CLOSE, [1, 9]), blind(OPEN, [3, '[]']), blind(CLOSE, [2, 9]), blind(OPEN, [4, '[]'])),
    ).toEqual([
      ['UPDATE ver SET', ['{1,2}', '{9,9}']],
      ['INSERT INTO ver', ['{3,4}', '{"[]","[]"}']],
    ]);
  });

  test('about one row stay in their order', () => {
    expect(
      sent(blind(OPEN, [1, '[]']), blind(CLOSE, [1, 9]), blind(OPEN, [1, '{}'])).map(([sql]) => sql),
    ).toEqual(['INSERT INTO ver', 'UPDATE ver SET', 'INSERT INTO ver']);
  });

  test('never pass one whose rows are not known, nor a savepoint', () => {
    for (const between of [blind(CLOSE_ALL, [7, 9]), blind('SAVEPOINT job', [])]) {
      expect(sent(blind(OPEN, [1, '[]']), between, blind(OPEN, [2, '[]']))).toHaveLength(3);
    }
  });

  test('never pass one that reads their table, be it through a join', () => {
    const copy = 'INSERT INTO edgeh (src) SELECT v.node FROM (SELECT 1) p CROSS JOIN ver v WHERE v.t < ?1';
    expect(sent(blind(OPEN, [1, '[]']), blind(copy, [9]), blind(OPEN, [2, '[]']))).toHaveLength(3);
  });

  test('are forgotten back to a savepoint that was not sent', () => {
    const writes = new BlindWrites(TYPES);
    writes.add(blind(OPEN, [1, '[]']));
    writes.add(blind('SAVEPOINT job', []));
    writes.add(blind(OPEN, [2, '[]']));
    expect(writes.cutBefore('SAVEPOINT job')).toBe(true);
    expect(writes.cutBefore('SAVEPOINT job')).toBe(false);
    expect(writes.take().map(({params}) => params)).toEqual([[1, '[]']]);
  });

  test('that make what must not be there are refused by the value that is', () => {
    const writes = new BlindWrites(TYPES);
    for (const id of [1, 2, 3])
      writes.add(blind(NEW_NODE, [id, `u${id}`], () => new Error(`u${id} is taken`)));
    expect(writes.isDoubtful).toBe(true);
    const [group] = writes.take();
    expect(group?.sql).not.toContain('ON CONFLICT');
    expect(group?.params).toEqual(['{1,2,3}', '{"u1","u2","u3"}']);
    expect(group?.refusal?.('u2').message).toBe('u2 is taken');
  });
});
