const compiled = new Map<string, RegExp>();

/** What is wrong with the pattern, or null when values can be matched with it. */
export function checkRegex(pattern: string): string | null {
  try {
    compile(pattern);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Whether the text matches from its start, as Python's `re.match`: the pattern need not reach the end. */
export function matchesFromStart(pattern: string, text: string): boolean {
  return compile(pattern).test(text);
}

function compile(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const fresh = new RegExp(`^(?:${pattern.replaceAll('(?P<', '(?<')})`, 'u');
  compiled.set(pattern, fresh);
  return fresh;
}
