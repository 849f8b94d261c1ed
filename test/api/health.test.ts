import {describe, expect, test} from 'vitest';
import {type HealthCheck, healthReport} from '../../src/wire/http/health.ts';
import {NOON, openServer} from './open-server.ts';

const up: HealthCheck = {name: 'database', check: async () => {}};
const failing = (name: HealthCheck['name'], error: Error): HealthCheck => ({
  name,
  check: () => Promise.reject(error),
});
const coded = (code: string) => Object.assign(new Error(code), {code});
const clock = {nowMicros: () => NOON};

describe('health', () => {
  test.each(['/health', '/api/health'])('%s is 200 while every component works', async url => {
    const {server} = await openServer({healthChecks: [up, {...up, name: 'cache'}]});
    const answer = await server.inject(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      status: 'healthy',
      checks: [
        {name: 'database', status: 'up', error: 'none'},
        {name: 'cache', status: 'up', error: 'none'},
      ],
      timestamp: '2030-06-01T12:00:00.000Z',
    });
  });

  test('is 503 when one component is down, and says which and why without details', async () => {
    const checks = [
      up,
      failing('message_bus', coded('ECONNREFUSED')),
      failing('cache', new Error('secret path')),
    ];
    const {server} = await openServer({healthChecks: checks});
    const answer = await server.inject('/api/health');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({
      status: 'unhealthy',
      checks: [
        {name: 'database', status: 'up', error: 'none'},
        {name: 'message_bus', status: 'down', error: 'connection_refused'},
        {name: 'cache', status: 'down', error: 'unknown_error'},
      ],
    });
    expect(answer.body).not.toContain('secret path');
  });

  test('a component that never answers is down after its time, and is told to give up', async () => {
    let toldToStop = false;
    const hanging: HealthCheck = {
      name: 'task_manager',
      check: signal =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            toldToStop = true;
          });
        }),
    };
    const report = await healthReport([hanging, up], clock, 5);
    expect(report.checks).toEqual([
      {name: 'task_manager', status: 'down', error: 'timeout'},
      {name: 'database', status: 'up', error: 'none'},
    ]);
    expect(toldToStop).toBe(true);
  });

  test('a check that throws before it waits is down like any other', async () => {
    const throwing: HealthCheck = {
      name: 'database',
      check: () => {
        throw coded('ECONNRESET');
      },
    };
    const report = await healthReport([throwing], clock);
    expect(report.checks).toEqual([{name: 'database', status: 'down', error: 'connection_closed'}]);
  });
});
