import type {CharSet} from './char-set.ts';

export type Edge = 'start' | 'end' | 'line-start' | 'line-end' | 'word' | 'not-word';

/** A parsed regular expression. Groups leave no trace: only whether a text matches is ever asked. */
export type Pattern =
  | {readonly is: 'chars'; readonly set: CharSet}
  | {readonly is: 'edge'; readonly edge: Edge}
  | {readonly is: 'sequence'; readonly items: readonly Pattern[]}
  | {readonly is: 'choice'; readonly options: readonly Pattern[]}
  | {readonly is: 'repeat'; readonly body: Pattern; readonly min: number; readonly max: number | null}
  | {
      readonly is: 'look';
      readonly ahead: boolean;
      readonly negative: boolean;
      readonly body: Pattern;
      /** Code points a look-behind steps back; 0 for a look-ahead. */
      readonly width: number;
    };

/** A regular expression that cannot be used; its message is a sentence for the schema's author. */
export class RegexProblem extends Error {
  override name = 'RegexProblem';
}

/** The code points every match takes, or null when matches differ in width. */
export function fixedWidth(pattern: Pattern): number | null {
  switch (pattern.is) {
    case 'chars':
      return 1;
    case 'edge':
    case 'look':
      return 0;
    case 'sequence':
      return pattern.items.reduce<number | null>((sum, item) => plus(sum, fixedWidth(item)), 0);
    case 'choice': {
      const [first, ...others] = pattern.options.map(fixedWidth);
      return others.every(width => width === first) ? (first ?? null) : null;
    }
    case 'repeat': {
      const width = fixedWidth(pattern.body);
      return width === null || pattern.min !== pattern.max ? null : width * pattern.min;
    }
  }
}

function plus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
