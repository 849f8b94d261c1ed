import type {KeyUses} from '../app/access/key-uses.ts';
import type {Log} from '../ports/log.ts';

const EVERY_MILLIS = 30_000;

/** Writes down from time to time when API keys were last used. The answer ends that, after a last time. */
export function recordKeyUses(uses: KeyUses, log: Log): () => Promise<void> {
  const record = async () => {
    try {
      await uses.record();
    } catch (error) {
      log.warning('the last use of API keys could not be written down', {error});
    }
  };
  const timer = setInterval(() => void record(), EVERY_MILLIS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await record();
  };
}
