import {readFileSync} from 'node:fs';

/** Linux counts in ticks of this length, whatever the machine. */
const TICK_MICROS = 10_000;
const USER = 11;
const SYSTEM = 12;

/** What a process has taken of the processor so far, all of its threads together; its own name may hold anything. */
export function processorMicros(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const words = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(words[USER]) + Number(words[SYSTEM])) * TICK_MICROS;
}
