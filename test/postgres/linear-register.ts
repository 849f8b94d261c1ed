import type {Act} from './chaos-writer.ts';

interface Write {
  readonly value: string;
  readonly began: number;
  /** Infinite when nobody knows whether and when it was done. */
  readonly ended: number;
}

/**
 * Whether what was read of one register could have come from writes done one at a time, each between its request and
 * its answer. Every value is written once, so it is enough to look at each read: its value must have been asked for
 * before the read ended, and no other write may lie wholly between that write and the read. And reads that follow each
 * other must not go back.
 */
export function registerProblems(acts: readonly Act[], register: string): string[] {
  const problems: string[] = [];
  const writes = new Map<string, Write>([['0', {value: '0', began: 0, ended: 0}]]);
  const refused = new Set<string>();
  for (const {deed, is, value, began, ended} of acts) {
    if (deed !== 'set') continue;
    if (is === 'asked' && !writes.has(value))
      writes.set(value, {value, began, ended: Number.POSITIVE_INFINITY});
    if (is === 'told') writes.set(value, {value, began, ended});
    if (is === 'refused') refused.add(value);
  }
  const done = [...writes.values()].filter(write => Number.isFinite(write.ended));
  const reads = acts.filter(act => act.deed === 'get' && act.is === 'told').sort((a, b) => a.began - b.began);
  for (const read of reads) {
    const source = writes.get(read.value);
    if (source === undefined || source.began > read.ended) {
      problems.push(`${register} was read as ${read.value}, which nobody had written`);
      continue;
    }
    if (refused.has(read.value)) problems.push(`${read.value} was refused and then read`);
    const between = done.find(
      write => write !== source && write.began > source.ended && write.ended < read.began,
    );
    if (between !== undefined) {
      problems.push(`${read.value} was read after ${between.value} had replaced it`);
    }
  }
  for (const [place, read] of reads.entries()) {
    const source = writes.get(read.value);
    const later = reads.slice(place + 1).find(other => other.began > read.ended);
    const next = later === undefined ? undefined : writes.get(later.value);
    if (source === undefined || next === undefined || next === source) continue;
    if (next.ended < source.began) problems.push(`${later!.value} was read after the newer ${read.value}`);
  }
  return problems;
}
