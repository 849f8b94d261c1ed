import {ServiceError} from '../../domain/errors.ts';
import type {Clock} from '../../ports/clock.ts';

export const HEALTH_CHECK_MILLIS_MAX = 2_000;

/** A component that the service cannot work without. `check` really uses it, and rejects when it is down. */
export interface HealthCheck {
  readonly name: 'database' | 'message_bus' | 'cache' | 'task_manager';
  check(signal: AbortSignal): Promise<void>;
}

/** `read_only`: it answers, and writes nothing until it is seen to. */
type CheckError =
  | 'none'
  | 'timeout'
  | 'connection_refused'
  | 'connection_closed'
  | 'read_only'
  | 'unknown_error';

export interface CheckReport {
  readonly name: HealthCheck['name'];
  readonly status: 'up' | 'down';
  readonly error: CheckError;
}

export interface HealthReport {
  readonly status: 'healthy' | 'unhealthy';
  readonly checks: readonly CheckReport[];
  readonly timestamp: string;
}

/** Asks every component at once; one that does not answer in time is down. */
export async function healthReport(
  checks: readonly HealthCheck[],
  clock: Clock,
  millisMax = HEALTH_CHECK_MILLIS_MAX,
): Promise<HealthReport> {
  const reports = await Promise.all(checks.map(check => runCheck(check, millisMax)));
  return {
    status: reports.every(report => report.status === 'up') ? 'healthy' : 'unhealthy',
    checks: reports,
    timestamp: new Date(clock.nowMicros() / 1000).toISOString(),
  };
}

async function runCheck(check: HealthCheck, millisMax: number): Promise<CheckReport> {
  const signal = AbortSignal.timeout(millisMax);
  const timedOut = new Promise<CheckError>(resolve =>
    signal.addEventListener('abort', () => resolve('timeout'), {once: true}),
  );
  const answered = (async () => check.check(signal))().then(() => 'none' as const, classify);
  const error = await Promise.race([answered, timedOut]);
  return {name: check.name, status: error === 'none' ? 'up' : 'down', error};
}

function classify(error: unknown): CheckError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ECONNREFUSED') return 'connection_refused';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'connection_closed';
  if (error instanceof Error && error.name === 'TimeoutError') return 'timeout';
  if (error instanceof ServiceError && error.code === 'UNAVAILABLE') return 'read_only';
  return 'unknown_error';
}
