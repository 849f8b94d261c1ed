import {describe, expect, test} from 'vitest';
import type {LogLevel} from '../../ports/log.ts';
import {createJsonLog} from './pino-log.ts';
import {readableLine} from './readable-lines.ts';

const MORNING = Date.UTC(2030, 0, 2, 3, 4, 5, 678) * 1000;

function openLog(level: LogLevel) {
  const lines: string[] = [];
  const to = {write: (line: string) => void lines.push(line)};
  const log = createJsonLog({level, clock: {nowMicros: () => MORNING}, to});
  return {log, lines, parsed: () => lines.map(line => JSON.parse(line) as Record<string, unknown>)};
}

describe('the JSON log', () => {
  test('a line begins with the six fields of every line and goes on with its facts', () => {
    const {log, parsed} = openLog('INFO');
    log
      .named('http')
      .forRequest('5d1f1e5c-0000-4000-8000-000000000001')
      .info('GET /api/health 200', {status: 200, durationMillis: 1.23456});
    const [line] = parsed();
    expect(line).toEqual({
      level: 'INFO',
      timestamp: '2030-01-02T03:04:05.678Z',
      logger: 'http',
      message: 'GET /api/health 200',
      request_id: '5d1f1e5c-0000-4000-8000-000000000001',
      duration_ms: 1.235,
      status: 200,
    });
    const first = Object.keys(line!).slice(0, 6).sort();
    expect(first).toEqual(['duration_ms', 'level', 'logger', 'message', 'request_id', 'timestamp']);
  });

  test('a line outside a request carries the request fields as null', () => {
    const {log, parsed} = openLog('INFO');
    log.warning('disk is slow');
    expect(parsed()[0]).toMatchObject({level: 'WARNING', request_id: null, duration_ms: null});
  });

  test.each([
    ['DEBUG', 5],
    ['INFO', 4],
    ['WARNING', 3],
    ['ERROR', 2],
    ['CRITICAL', 1],
  ] as const)('at level %s only lines at least that serious are written', (level, count) => {
    const {log, lines} = openLog(level);
    log.debug('a');
    log.info('b');
    log.warning('c');
    log.error('d');
    log.critical('e');
    expect(lines).toHaveLength(count);
  });

  test('an error is written with its stack and its cause', () => {
    const {log, parsed} = openLog('INFO');
    log.error('write failed', {error: new Error('outer', {cause: new Error('disk full')})});
    const {error} = parsed()[0] as {error: {message: string; stack: string; cause: {message: string}}};
    expect(error.message).toBe('outer');
    expect(error.stack).toContain('pino-log.test.ts');
    expect(error.cause.message).toBe('disk full');
  });

  test('a fact never replaces a field that every line has, and text cannot break a line', () => {
    const {log, lines, parsed} = openLog('INFO');
    log.info('two\nlines "quoted"', {level: 'x', message: 'y', request_id: 'z', timestamp: 't', logger: 'l'});
    expect(lines[0]!.trimEnd()).not.toContain('\n');
    expect(lines[0]!.match(/"level"/g)).toHaveLength(1);
    expect(parsed()[0]).toMatchObject({level: 'INFO', logger: 'trellis', message: 'two\nlines "quoted"'});
  });

  test('on a terminal the same line is a sentence with the stack below', () => {
    const {log, lines} = openLog('INFO');
    log.named('http').error('boom', {path: '/x', durationMillis: 2, error: new Error('why')});
    const text = readableLine(lines[0]!);
    expect(text).toContain('03:04:05.678');
    expect(text).toContain('http: boom path=/x (2 ms)');
    expect(text).toContain('Error: why\n    at ');
  });
});
