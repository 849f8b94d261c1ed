import {describe, expect, test} from 'vitest';
import {type RegisterOperation, registerProblems} from './linear-register.ts';
import {type Insert, insertProblems} from './unique-inserts.ts';

const op = (is: RegisterOperation['is'], value: string, began: number, ended: number): RegisterOperation => ({
  is,
  value,
  began,
  ended,
});
const write = (value: string, began: number, ended: number) => op('write', value, began, ended);
const read = (value: string, began: number, ended: number) => op('read', value, began, ended);
const sound = (...operations: readonly RegisterOperation[]) => registerProblems('0', operations).length === 0;

describe('the history of a register', () => {
  test('is sound when reads see the write before them, or one under way', () => {
    expect(sound(read('0', 1, 2), write('a', 3, 6), read('0', 4, 5), read('a', 7, 8))).toBe(true);
    expect(sound(write('a', 1, 9), read('a', 2, 3), read('a', 4, 5))).toBe(true);
    expect(sound(write('a', 1, 4), write('b', 2, 5), read('a', 6, 7))).toBe(true);
  });

  test('is not when a read goes back, looks ahead, or misses an acknowledged write', () => {
    expect(sound(write('a', 1, 9), read('a', 2, 3), read('0', 4, 5))).toBe(false);
    expect(sound(read('a', 1, 2), write('a', 3, 4))).toBe(false);
    expect(sound(write('a', 1, 2), read('0', 3, 4))).toBe(false);
    expect(sound(read('b', 1, 2))).toBe(false);
    expect(sound(write('a', 1, 4), write('b', 2, 5), read('a', 6, 7), read('b', 8, 9))).toBe(false);
    expect(sound(write('a', 1, 2), read('a', 8, 9), write('b', 4, 5))).toBe(false);
  });

  test('allows a write without an answer to be done at any later time, or never', () => {
    const lost = write('a', 1, Infinity);
    expect(sound(lost, read('0', 2, 3))).toBe(true);
    expect(sound(lost, read('0', 2, 3), read('a', 4, 5))).toBe(true);
    expect(sound(lost, read('a', 2, 3), read('0', 4, 5))).toBe(false);
    expect(sound(lost, write('b', 2, 3), read('b', 4, 5), read('a', 6, 7))).toBe(true);
  });
});

describe('the history of unique inserts', () => {
  const insert = (id: string, outcome: Insert['outcome'], began: number, ended: number): Insert => ({
    id,
    value: 'v',
    began,
    ended,
    outcome,
  });
  const problems = (holder: string | undefined, ...inserts: readonly Insert[]) =>
    insertProblems(inserts, new Map(holder === undefined ? [] : [['v', holder]])).length;

  test('is sound when one got the value, and others were refused while or after it did', () => {
    expect(problems('a', insert('a', 'made', 1, 4), insert('b', 'taken', 2, 3))).toBe(0);
    expect(problems('a', insert('a', 'unknown', 1, Infinity), insert('b', 'taken', 5, 6))).toBe(0);
    expect(problems(undefined, insert('a', 'undone', 1, 2), insert('b', 'unknown', 1, Infinity))).toBe(0);
  });

  test('is not when what was acknowledged is lost, or somebody was refused for nothing', () => {
    expect(problems(undefined, insert('a', 'made', 1, 2))).toBe(1);
    expect(problems('b', insert('a', 'made', 1, 2), insert('b', 'made', 1, 2))).toBe(1);
    expect(problems(undefined, insert('a', 'taken', 1, 2))).toBe(1);
    expect(problems('b', insert('a', 'taken', 1, 2), insert('b', 'made', 3, 4))).toBe(1);
    expect(problems('a', insert('a', 'undone', 1, 2))).toBe(1);
  });
});
