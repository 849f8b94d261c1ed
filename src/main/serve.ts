import {constants} from 'node:os';
import {systemClock} from '../adapters/clock/system-clock.ts';
import {logDestination} from '../adapters/log/log-destination.ts';
import {createJsonLog} from '../adapters/log/pino-log.ts';
import type {Log} from '../ports/log.ts';
import {banner} from './banner.ts';
import {type Role, type Service, startService} from './compose.ts';
import {EXIT, StartRefused} from './exit-codes.ts';
import {openStore} from './open-store.ts';
import {readSettings, SettingsRefused} from './settings/read.ts';
import {SETTINGS} from './settings/table.ts';

// Log lines go to standard output and nothing else does; words for the person at the terminal go to standard error.

async function serve(): Promise<void> {
  const role: Role = process.argv.includes('--worker') ? 'worker' : 'server';
  const {settings: read, warnings} = readSettings(process.env);
  // A worker stands beside servers, and only health and metrics are asked of it: any port will do.
  const isPortFree = role === 'worker' && process.env[SETTINGS.port.variable] === undefined;
  const settings = isPortFree ? {...read, port: 0} : read;
  const log = createJsonLog({
    level: settings.logLevel,
    clock: systemClock,
    to: logDestination(process.stdout),
  });
  for (const warning of warnings) log.named('settings').warning(warning);
  dieOnFault(log);
  const service = await startService(settings, log, openStore, role);
  stopOnSignal(service, log);
  log.info('ready', {address: service.address, role});
  process.stderr.write(
    role === 'server' ? banner(service.address, settings) : `The worker is ready at ${service.address}\n`,
  );
}

/** One Ctrl-C arrives up to three times: from the terminal, from npm, and from the script that started us. */
const SIGNAL_BURST_MILLIS = 500;

/** The first signal stops gracefully; one that comes after its burst stops at once. */
function stopOnSignal(service: Service, log: Log): void {
  let since: number | undefined;
  const receive = (signal: NodeJS.Signals) => {
    if (since === undefined) {
      since = performance.now();
      void stop(service, log, signal);
    } else if (performance.now() - since > SIGNAL_BURST_MILLIS) {
      process.exit(128 + constants.signals[signal]);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, receive);
}

async function stop(service: Service, log: Log, signal: NodeJS.Signals): Promise<never> {
  log.info('stopping', {signal});
  const inTime = await service.stop();
  if (!inTime) log.warning('some requests did not finish in time and were cut off');
  log.info('stopped');
  process.exit((inTime ? EXIT.stopped : EXIT.fault).code);
}

/** Memory can no longer be trusted after an error that nobody caught; what is on disk can. */
function dieOnFault(log: Log): void {
  process.on('uncaughtException', error => {
    log.critical('an unexpected fault ended the service', {error});
    process.exit(EXIT.fault.code);
  });
}

try {
  await serve();
} catch (error) {
  if (error instanceof SettingsRefused) {
    process.stderr.write(`${error.message}\n`);
    process.exit(EXIT.settings.code);
  }
  if (!(error instanceof StartRefused)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(error.exitCode);
}
