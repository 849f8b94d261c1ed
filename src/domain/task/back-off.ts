const FIRST_MILLIS = 1000;
const LONGEST_MILLIS = 300_000;

/** How long to wait before the next attempt, each time twice as long; `chance` in [0, 1) keeps many from coming at once. */
export function backOffMillis(failures: number, chance: number): number {
  const full = Math.min(LONGEST_MILLIS, FIRST_MILLIS * 2 ** Math.max(0, failures - 1));
  return Math.round(full * (0.5 + chance / 2));
}
