/** One attempt to make an object with a value that only one may have. */
export interface Insert {
  readonly id: string;
  readonly value: string;
  readonly began: number;
  /** Infinite when no answer came. */
  readonly ended: number;
  /** `taken`: another has the value. `undone`: something else kept it from being made. */
  readonly outcome: 'made' | 'taken' | 'undone' | 'unknown';
}

/**
 * Whether the answers could have come from inserts done one at a time, each between its question and its answer, given
 * who holds each value in the end. Nothing is ever removed, so who holds a value in the end was the first to get it.
 */
export function insertProblems(inserts: readonly Insert[], holders: ReadonlyMap<string, string>): string[] {
  const problems: string[] = [];
  const byId = new Map(inserts.map(each => [each.id, each]));
  for (const {id, value, outcome, ended} of inserts) {
    const holder = holders.get(value);
    const winner = holder === undefined ? undefined : byId.get(holder);
    const about = `${value} for ${id}`;
    if (outcome === 'made' && holder !== id) {
      problems.push(`${about} was acknowledged, and ${holder ?? 'nobody'} has it`);
    }
    if ((outcome === 'taken' || outcome === 'undone') && holder === id) {
      problems.push(`${about} was refused, and it is there`);
    }
    if (outcome === 'taken' && winner === undefined) problems.push(`${about} was taken, and nobody has it`);
    if (outcome === 'taken' && winner !== undefined && winner.began > ended) {
      problems.push(`${about} was taken before anybody had asked for it`);
    }
  }
  for (const [value, holder] of holders) {
    if (byId.get(holder)?.value !== value) problems.push(`${value} is held by ${holder}, who never asked`);
  }
  return problems;
}
