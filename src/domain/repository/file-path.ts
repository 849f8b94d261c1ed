const SEPARATORS = /\/+/;

/**
 * A path inside a repository without `.`, `..` and doubled separators; undefined when it leads outside.
 * The empty path is the repository itself.
 */
export function pathInRepository(text: string): string | undefined {
  if (text.startsWith('/') || text.includes('\0')) return undefined;
  const parts: string[] = [];
  for (const part of text.split(SEPARATORS)) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}
