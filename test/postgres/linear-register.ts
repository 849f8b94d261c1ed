/** One write or read of a register, from when it was asked until it was answered. */
export interface RegisterOperation {
  readonly is: 'write' | 'read';
  readonly value: string;
  readonly began: number;
  /** Infinite when no answer came: a write may have been done at any time since, or never. */
  readonly ended: number;
}

interface Zone {
  readonly value: string;
  readonly from: number;
  readonly until: number;
}

/**
 * Whether all that was read could have come from writes and reads done one at a time, each between its question and
 * its answer. Every value is written once, so the history is sound exactly when the stretches in which values must have
 * stood do not meet, and none that could stand at one moment only is inside such a stretch (Gibbons and Korach, 1997).
 */
export function registerProblems(first: string, operations: readonly RegisterOperation[]): string[] {
  const problems: string[] = [];
  const writes = new Map<string, RegisterOperation>();
  writes.set(first, {is: 'write', value: first, began: -Infinity, ended: -Infinity});
  for (const each of operations) if (each.is === 'write') writes.set(each.value, each);
  const reads = Map.groupBy(
    operations.filter(each => each.is === 'read'),
    each => each.value,
  );
  for (const [value, of] of reads) {
    const write = writes.get(value);
    if (write === undefined) problems.push(`${value} was read, which nobody wrote`);
    else if (of.some(read => read.ended < write.began))
      problems.push(`${value} was read before it was written`);
  }
  const [lasting, passing]: [Zone[], Zone[]] = [[], []];
  for (const write of writes.values()) {
    const all = [write, ...(reads.get(write.value) ?? [])];
    // Of a write that nobody answered and nobody has seen nothing follows.
    if (all.length === 1 && write.ended === Infinity) continue;
    const end = Math.min(...all.map(each => each.ended));
    const start = Math.max(...all.map(each => each.began));
    if (end < start) lasting.push({value: write.value, from: end, until: start});
    else passing.push({value: write.value, from: start, until: end});
  }
  lasting.sort((a, b) => a.from - b.from);
  for (const [place, zone] of lasting.entries()) {
    const before = lasting[place - 1];
    if (before !== undefined && zone.from < before.until) {
      problems.push(`${before.value} and ${zone.value} must have stood at the same time`);
    }
  }
  for (const zone of passing) {
    const around = lasting.find(other => other.from < zone.from && zone.until < other.until);
    if (around !== undefined)
      problems.push(`${zone.value} was written while ${around.value} must have stood`);
  }
  return problems;
}
