import type {Instant} from '../time/instant.ts';

/**
 * Where an event stands in the log: its commit, and its place within it. Places within a commit leave gaps, so that
 * the events of any part of a commit can be told without those before them.
 */
export interface EventPlace {
  readonly instant: Instant;
  readonly ordinal: number;
}

/** After every event of a commit. */
export const ORDINAL_MAX = 2 ** 40 - 1;

export const placeAfter = (instant: Instant): EventPlace => ({instant, ordinal: ORDINAL_MAX});

export const comparePlaces = (a: EventPlace, b: EventPlace): number =>
  a.instant - b.instant || a.ordinal - b.ordinal;

const INSTANT_DIGITS = 14;
const ORDINAL_DIGITS = 10;
const PLACE = /^[0-9a-f]{24}$/;

/** A text whose order among its like is the order of the events. */
export function formatPlace({instant, ordinal}: EventPlace): string {
  return (
    instant.toString(16).padStart(INSTANT_DIGITS, '0') + ordinal.toString(16).padStart(ORDINAL_DIGITS, '0')
  );
}

/** Undefined when it is not the id of an event. */
export function parsePlace(text: string): EventPlace | undefined {
  if (!PLACE.test(text)) return undefined;
  const instant = Number.parseInt(text.slice(0, INSTANT_DIGITS), 16);
  const ordinal = Number.parseInt(text.slice(INSTANT_DIGITS), 16);
  return Number.isSafeInteger(instant) ? {instant: instant as Instant, ordinal} : undefined;
}
