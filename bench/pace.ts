/** Seconds that one figure is measured for: few for a glance at everything, more for figures that last. */
let chosen = 1;

export const choosePace = (seconds: number): void => {
  chosen = seconds;
};

export const paceSeconds = (): number => chosen;
