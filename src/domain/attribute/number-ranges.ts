export type NumberRange = {readonly first: number; readonly last: number};

export type ParsedRanges =
  | {readonly ok: true; readonly ranges: readonly NumberRange[]}
  | {readonly ok: false; readonly problem: string};

/** `excluded_values`: numbers and ranges such as `100,150-200`, sorted on return; they may not overlap. */
export function parseNumberRanges(text: string): ParsedRanges {
  const ranges: NumberRange[] = [];
  for (const part of text.split(',')) {
    const match = /^\s*(-?\d+)(?:-(-?\d+))?\s*$/.exec(part);
    if (match === null) {
      return {ok: false, problem: `"${part}" is neither a number nor a range; write for example 100,150-200`};
    }
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) {
      return {ok: false, problem: `"${part}" is beyond the largest number, ${Number.MAX_SAFE_INTEGER}`};
    }
    if (first > last) return {ok: false, problem: `the range "${part}" begins after its end`};
    ranges.push({first, last});
  }
  ranges.sort((a, b) => a.first - b.first);
  for (const [index, range] of ranges.entries()) {
    const next = ranges[index + 1];
    if (next !== undefined && next.first <= range.last) {
      return {ok: false, problem: `${shownRange(range)} and ${shownRange(next)} overlap`};
    }
  }
  return {ok: true, ranges};
}

export function shownRange(range: NumberRange): string {
  return range.first === range.last ? String(range.first) : `${range.first}-${range.last}`;
}
