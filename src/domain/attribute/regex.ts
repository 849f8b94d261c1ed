import {regexCacheEntriesMax} from './limits.ts';
import {type MatchOutcome, runProgram} from './regex/match.ts';
import {parsePattern} from './regex/parse.ts';
import {RegexProblem} from './regex/pattern.ts';
import {compileProgram, type Program} from './regex/program.ts';

const compiled = new Map<string, Program>();

/** What is wrong with the pattern, worded to follow "the regular expression", or null. */
export function checkRegex(pattern: string): string | null {
  try {
    compile(pattern);
    return null;
  } catch (error) {
    if (error instanceof RegexProblem) return `cannot be used: ${error.message}`;
    throw error;
  }
}

/** As Python's `re.match`: from the start of the text, not necessarily to its end. */
export function matchFromStart(pattern: string, text: string): MatchOutcome {
  return runProgram(compile(pattern), text);
}

function compile(pattern: string): Program {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const program = compileProgram(parsePattern(pattern));
  if (compiled.size >= regexCacheEntriesMax) compiled.clear();
  compiled.set(pattern, program);
  return program;
}
