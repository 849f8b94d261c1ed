import type {Json} from '../../base/json.ts';
import type {GraphEvent} from './graph-event.ts';

const PLAIN_WEIGHT = 200;
const ENTRY_WEIGHT = 100;

/** About how many characters an event is to somebody who asks for all of it. */
export function eventWeight({detail}: GraphEvent): number {
  if (detail.is === 'members') return PLAIN_WEIGHT + detail.members.length * ENTRY_WEIGHT;
  if (detail.is !== 'node') return PLAIN_WEIGHT;
  const {attributes, edges} = detail;
  return attributes.reduce(
    (sum, {before, after}) => sum + valueWeight(before?.value ?? null) + valueWeight(after?.value ?? null),
    PLAIN_WEIGHT + (attributes.length + edges.length) * ENTRY_WEIGHT,
  );
}

const valueWeight = (value: Json): number =>
  typeof value === 'string'
    ? value.length
    : value !== null && typeof value === 'object'
      ? JSON.stringify(value).length
      : 0;

/** The first of some events, at least one, as many as weigh so much together. */
export function lightest(events: readonly GraphEvent[], weightMax: number): readonly GraphEvent[] {
  let weight = 0;
  for (const [index, event] of events.entries()) {
    weight += eventWeight(event);
    if (weight > weightMax && index > 0) return events.slice(0, index);
  }
  return events;
}
