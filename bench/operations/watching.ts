import {openSync} from 'node:fs';
import {destination} from 'pino';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {createJsonLog} from '../../src/adapters/log/pino-log.ts';
import {promMetrics} from '../../src/adapters/telemetry/prom-metrics.ts';
import {NO_METRICS} from '../../src/ports/metrics.ts';
import {NO_TRACER} from '../../src/ports/tracer.ts';
import {GraphqlWatch} from '../../src/wire/graphql/watch.ts';
import type {ServiceFamily} from '../bench.ts';
import {time, timedSync} from '../measure.ts';

const ANSWER = {text: JSON.stringify({data: 'x'.repeat(12_000)}), isRefused: false, errors: []};
const OPERATION = {type: 'query', depth: 5, height: 9, kinds: new Set(['BenchDevice'])};
const REQUEST_ID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

/** What it costs a request to be watched; set it beside what a list takes over HTTP. */
export const watching: ServiceFamily = {
  name: 'watching',
  on: 'nothing',
  async run() {
    const log = createJsonLog({
      level: 'INFO',
      clock: systemClock,
      to: destination({dest: openSync('/dev/null', 'w'), sync: true}),
    }).named('http');
    const metrics = promMetrics();
    const place = {method: 'POST', path: '/graphql/*'};
    const total = metrics
      .counter({name: 'a', help: 'a', labels: ['method', 'path', 'status_code']})
      .at({...place, status_code: '200'});
    const seconds = metrics
      .histogram({name: 'b', help: 'b', labels: ['method', 'path'], buckets: [0.01, 0.1, 1]})
      .at(place);
    const watched = new GraphqlWatch(metrics, NO_TRACER);
    const unwatched = new GraphqlWatch(NO_METRICS, NO_TRACER);
    const lines = timedSync(() =>
      log.forRequest(REQUEST_ID).info('POST /graphql/main 200', {durationMillis: 1.5, status: 200, ...place}),
    );
    const counted = timedSync(() => {
      total.add();
      seconds.observe(0.0015);
      watched.answered(OPERATION, ANSWER, 1.5);
    });
    const off = timedSync(() => unwatched.answered(OPERATION, ANSWER, 1.5));
    return [
      time('log line of a request', lines),
      time('metrics of a GraphQL request', counted),
      time('a GraphQL request that nobody measures', off),
    ];
  },
};
