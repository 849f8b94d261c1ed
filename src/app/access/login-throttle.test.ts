import {expect, test} from 'vitest';
import {LoginThrottle} from './login-throttle.ts';

const failing = (times: number, at = 0): LoginThrottle => {
  const throttle = new LoginThrottle();
  for (let time = 0; time < times; time += 1) throttle.failed('ada', '::1', at);
  return throttle;
};

test('nine failures are free, and each further one doubles the wait, up to a quarter of an hour', () => {
  expect(failing(9).waitSeconds('ada', '::1', 0)).toBe(0);
  expect([10, 11, 12, 19, 40].map(times => failing(times).waitSeconds('ada', '::1', 0))).toEqual([
    2, 4, 8, 900, 900,
  ]);
  expect(failing(10).waitSeconds('ada', '::1', 1)).toBe(1);
  expect(failing(10).waitSeconds('ada', '::1', 2)).toBe(0);
});

test('others are not concerned', () => {
  const throttle = failing(20);
  expect(throttle.waitSeconds('bob', '::1', 0)).toBe(0);
  expect(throttle.waitSeconds('ada', '::2', 0)).toBe(0);
});

test('a success, or time, is forgiving', () => {
  const throttle = failing(20);
  throttle.succeeded('ada', '::1');
  expect(throttle.waitSeconds('ada', '::1', 0)).toBe(0);
  expect(failing(20).waitSeconds('ada', '::1', 1801)).toBe(0);
});

test('a flood of names does not grow without end, and forgets the oldest first', () => {
  const throttle = failing(20);
  for (let name = 0; name < 10_000; name += 1) throttle.failed(`name ${name}`, '::9', 0);
  expect(throttle.waitSeconds('ada', '::1', 0)).toBe(0);
});
