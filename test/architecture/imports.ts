export interface Import {
  readonly specifier: string;
  /** `export … from`: the file passes on what another defines. */
  readonly reexport: boolean;
}

const DECLARATION = /^(?<word>import|export)\b(?:[^;'"`]*?\bfrom)?\s*['"](?<specifier>[^'"]+)['"]/gm;
const DYNAMIC = /\bimport\s*\(\s*(?:\/\*.*?\*\/\s*)?['"`](?<specifier>[^'"`]+)['"`]/g;
const WORKER = /\bnew URL\(\s*['"`](?<specifier>\.[^'"`]+\.[cm]?[jt]s)['"`]\s*,\s*import\.meta\.url/g;
const UNREADABLE = /\bimport\s*\(\s*(?!['"`/])|\brequire\s*\(/;

/**
 * Every module that a source text names: static, type-only, re-exported, dynamic, and files started as a thread.
 *
 * It reads text, not syntax. Declarations stand at the start of a line in formatted code, and a comment that
 * looks like a dynamic import counts as one: it errs on the side of seeing too much.
 */
export function importsOf(source: string): readonly Import[] {
  const found: Import[] = [];
  for (const match of source.matchAll(DECLARATION)) {
    found.push({specifier: match.groups!.specifier!, reexport: match.groups!.word === 'export'});
  }
  for (const pattern of [DYNAMIC, WORKER]) {
    for (const match of source.matchAll(pattern))
      found.push({specifier: match.groups!.specifier!, reexport: false});
  }
  return found;
}

/** Whether a module names another in a way that cannot be read from its text. */
export const hasUnreadableImport = (source: string) => UNREADABLE.test(source);

const IMPURE =
  /\b(?:await|async)\b|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.|\bperformance\.|\bset(?:Timeout|Interval|Immediate)\b/;
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*).*$/gm;

/** The first word in a source text by which its answer depends on more than its arguments. */
export const impureWord = (source: string) => IMPURE.exec(source.replaceAll(COMMENT_LINE, ''))?.[0];
