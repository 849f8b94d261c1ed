import {must} from '../../base/assert.ts';
import {checkDateTime} from '../../domain/attribute/kinds/date-time.ts';
import {formatInstant, type Instant} from '../../domain/time/instant.ts';

/** The text that an attribute of kind DateTime holds for a moment. */
export function storedTime(micros: number): string {
  const checked = checkDateTime(formatInstant(micros as Instant));
  return must(checked.ok ? (checked.value as string) : undefined, `the text of the moment ${micros}`);
}
