/** Time as the process sees it. It may jump; the store alone turns it into instants that never go back. */
export interface Clock {
  nowMicros(): number;
}
