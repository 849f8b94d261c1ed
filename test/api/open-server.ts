import {createJsonLog} from '../../src/adapters/log/pino-log.ts';
import {NO_METRICS} from '../../src/ports/metrics.ts';
import {NO_TRACER} from '../../src/ports/tracer.ts';
import type {HealthCheck} from '../../src/wire/http/health.ts';
import {createHttpServer} from '../../src/wire/http/server.ts';
import type {AnyRoute} from '../../src/wire/rest/route.ts';

export const NOON = Date.UTC(2030, 5, 1, 12) * 1000;

/** A server in this process, with what it logged. */
export async function openServer(
  parts: {
    routes?: AnyRoute[];
    healthChecks?: HealthCheck[];
    bodyBytesMax?: number;
    corsOrigins?: string[];
  } = {},
) {
  const lines: Record<string, unknown>[] = [];
  const to = {write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)};
  const clock = {nowMicros: () => NOON};
  const server = await createHttpServer({
    log: createJsonLog({level: 'DEBUG', clock, to}),
    clock,
    metrics: NO_METRICS,
    tracer: NO_TRACER,
    version: '0.0.0-test',
    bodyBytesMax: parts.bodyBytesMax ?? 10_000,
    corsOrigins: parts.corsOrigins ?? [],
    healthChecks: parts.healthChecks ?? [],
    routes: parts.routes ?? [],
  });
  return {server, lines};
}

export const envelope = (status: number, message: string) => ({
  data: null,
  errors: [{message, extensions: {code: status}}],
});
