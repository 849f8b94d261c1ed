import {describe, expect, test} from 'vitest';
import type {SqlValue, Statement} from '../sql/statement.ts';
import {blind, read} from '../sql/statement.ts';
import {Connection} from './connection.ts';

const ADD = 'INSERT INTO ix (val, node) VALUES (?1, ?2)';
const ALL = read('SELECT val, node FROM ix ORDER BY val', []);

function opened(): Connection {
  const connection = new Connection(':memory:', {readOnly: false});
  connection.exec('CREATE TABLE ix (val TEXT PRIMARY KEY, node INTEGER) WITHOUT ROWID');
  connection.exec('CREATE TABLE commits (ts INTEGER PRIMARY KEY)');
  connection.exec('BEGIN');
  return connection;
}

describe('rows that are held back', () => {
  test('are there for whoever looks', () => {
    const connection = opened();
    connection.run(blind(ADD, ['b', 2]));
    connection.run(blind(ADD, ['a', 1]));
    expect(connection.run(ALL)).toEqual([
      ['a', 1],
      ['b', 2],
    ]);
  });

  test('are changed by what comes after them', () => {
    const connection = opened();
    connection.run(blind(ADD, ['a', 1]));
    connection.run(blind('UPDATE ix SET node = 7 WHERE val = ?1', ['a']));
    expect(connection.run(ALL)).toEqual([['a', 7]]);
  });

  test('are part of the transaction that ends', () => {
    const connection = opened();
    connection.run(blind(ADD, ['a', 1]));
    connection.exec('COMMIT');
    expect(connection.run(ALL)).toEqual([['a', 1]]);
  });

  test('go with a transaction that is taken back, to its savepoint and whole', () => {
    const connection = opened();
    connection.run(blind(ADD, ['a', 1]));
    connection.exec('SAVEPOINT job');
    connection.run(blind(ADD, ['b', 2]));
    connection.exec('ROLLBACK TO job; RELEASE job');
    expect(connection.run(ALL)).toEqual([['a', 1]]);
    connection.run(blind(ADD, ['c', 3]));
    connection.exec('ROLLBACK');
    expect(connection.run(ALL)).toEqual([]);
  });

  test('are written in the order of their keys, before the log tells of them', () => {
    const connection = opened();
    const written: SqlValue[] = [];
    connection.watch = statement => {
      const {sql, lists = [], params} = statement as Statement;
      if (sql === ADD) written.push(...lists.map(row => row[0]!));
      else written.push(...params);
    };
    for (const val of ['c', 'a', 'b']) connection.run(blind(ADD, [val, 1]));
    connection.run(blind('INSERT INTO commits (ts) VALUES (?1)', [42]));
    expect(written).toEqual(['a', 'b', 'c', 42]);
  });

  test('fail the statement before which they are written', () => {
    const connection = opened();
    for (const node of [1, 2]) connection.run(blind(ADD, ['a', node]));
    expect(() => connection.run(ALL)).toThrow('UNIQUE');
  });
});
