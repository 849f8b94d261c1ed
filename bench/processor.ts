import {readdirSync, readFileSync} from 'node:fs';

const TICKS_PER_SECOND = 100;

interface Account {
  readonly parent: number;
  readonly ticks: number;
}

/** What Linux has on a process: its time on the processor, with that of its children that have ended. */
function accountOf(pid: number): Account | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
    return {parent: Number(fields[1]), ticks: user! + system! + endedUser! + endedSystem!};
  } catch {
    return undefined;
  }
}

/** Microseconds that processes and the children they have now spent on the processor so far. */
export function processorMicros(pids: readonly number[]): number {
  let ticks = 0;
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const account = accountOf(pid);
    if (account !== undefined && (pids.includes(pid) || pids.includes(account.parent))) {
      ticks += account.ticks;
    }
  }
  return (ticks / TICKS_PER_SECOND) * 1e6;
}

/** The process that was started with this word among its arguments. */
export function pidWithArgument(word: string): number {
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      if (readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0').includes(word)) return Number(entry);
    } catch {}
  }
  throw new Error(`no process has the argument ${word}`);
}
