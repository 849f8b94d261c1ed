/**
 * Microseconds, by the wall or by this thread's time on the processor. The latter knows nothing of other programs, nor
 * of waiting for the disk: what it says of reads on a busy machine is what they take on a calm one.
 */
export type Clock = () => number;

export const wallMicros: Clock = () => performance.now() * 1000;

export const threadMicros: Clock = () => {
  // Linux brings a thread's account up to date only when the whole process is asked for; else it lags by a tick.
  process.cpuUsage();
  const {user, system} = process.threadCpuUsage();
  return user + system;
};

let chosen: Clock = wallMicros;

export const chooseClock = (clock: Clock): void => {
  chosen = clock;
};

export const nowMicros: Clock = () => chosen();

export const isByProcessor = (): boolean => chosen === threadMicros;
