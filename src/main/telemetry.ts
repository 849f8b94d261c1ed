import type {StoreWatch} from '../adapters/sqlite/store-watch.ts';
import {type PromMetrics, promMetrics} from '../adapters/telemetry/prom-metrics.ts';
import type {Log} from '../ports/log.ts';
import {NO_TRACER, type Tracer} from '../ports/tracer.ts';
import type {Settings} from './settings/read.ts';
import {VERSION} from './version.ts';

/** What looks at the service from outside. */
export interface Telemetry {
  readonly metrics: PromMetrics;
  readonly tracer: Tracer;
  readonly storeWatch: StoreWatch;
  close(): Promise<void>;
}

const DEFAULT_ENDPOINT = {grpc: 'http://localhost:4317', http: 'http://localhost:4318'} as const;
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export async function openTelemetry(settings: Settings, log: Log): Promise<Telemetry> {
  const metrics = promMetrics();
  const {tracer, close} = await openTracer(settings);
  const seconds = metrics
    .histogram({
      name: 'store_commit_duration_seconds',
      help: 'From the begin of a transaction until it is durable.',
      buckets: COMMIT_SECONDS,
    })
    .at();
  const writes = metrics
    .counter({
      name: 'store_writes_total',
      help: 'Writes made durable; those that wait together share a commit.',
    })
    .at();
  return {
    metrics,
    tracer,
    storeWatch: {
      ran: statementWatch(settings, log.named('database'), tracer),
      committed(millis, count) {
        seconds.observe(millis / 1000);
        writes.add(count);
      },
    },
    close,
  };
}

/** The libraries are loaded only by those who want traces. */
async function openTracer(settings: Settings): Promise<{tracer: Tracer; close(): Promise<void>}> {
  if (!settings.traceEnable) return {tracer: NO_TRACER, close: async () => {}};
  const {otelTracer} = await import('../adapters/telemetry/otel-tracer.ts');
  const protocol = settings.traceProtocol;
  const endpoint = settings.traceEndpoint ?? DEFAULT_ENDPOINT[protocol];
  const tracer = otelTracer({protocol, endpoint, version: VERSION});
  return {tracer, close: () => tracer.close()};
}

const SQL_WORD = /^\s*(\w+)/;

function statementWatch(settings: Settings, log: Log, tracer: Tracer): StoreWatch['ran'] {
  const {printQueryDetails} = settings;
  if (!printQueryDetails && !tracer.isOn) return undefined;
  return ({sql, params}, millis) => {
    if (printQueryDetails) log.info('query', {durationMillis: millis, sql, params});
    const facts = {'db.system.name': 'sqlite', 'db.query.text': sql};
    tracer.past(`store ${SQL_WORD.exec(sql)?.[1] ?? ''}`, {kind: 'client', facts}, millis);
  };
}
