/** A spread of a fragment; `... on Kind` is none. */
const SPREAD = /\.\.\.\s*(?!on\b)([A-Za-z_]\w*)/g;
const DEFINITION = /\bfragment\s+([A-Za-z_]\w*)\s+on\b/g;
/** Comments and strings, in which nothing has a meaning. */
const SILENT = /#[^\n]*|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"/g;

const blanked = (text: string): string => text.replace(SILENT, match => ' '.repeat(match.length));

/** The fragment definitions of a document, by name. */
export function fragmentsIn(text: string): ReadonlyMap<string, string> {
  const readable = blanked(text);
  const fragments = new Map<string, string>();
  for (const match of readable.matchAll(DEFINITION)) {
    const end = closingBrace(readable, match.index);
    if (end !== undefined) fragments.set(match[1]!, text.slice(match.index, end + 1));
  }
  return fragments;
}

function closingBrace(text: string, from: number): number | undefined {
  let depth = 0;
  for (let place = text.indexOf('{', from); place >= 0 && place < text.length; place += 1) {
    if (text[place] === '{') depth += 1;
    if (text[place] === '}') depth -= 1;
    if (depth === 0) return place;
  }
  return undefined;
}

/** The document with every shared fragment that it uses, and those that they use, written below it. */
export function withFragments(document: string, shared: ReadonlyMap<string, string>): string {
  const own = fragmentsIn(document);
  const added = new Map<string, string>();
  const add = (text: string) => {
    for (const [, name] of blanked(text).matchAll(SPREAD)) {
      const fragment = shared.get(name!);
      if (fragment === undefined || own.has(name!) || added.has(name!)) continue;
      added.set(name!, fragment);
      add(fragment);
    }
  };
  add(document);
  return added.size === 0 ? document : `${document.trimEnd()}\n\n${[...added.values()].join('\n\n')}\n`;
}
