/** The files of a commit: plain ones by path, symbolic links with what they say. */
export interface LinkedTree {
  readonly files: ReadonlySet<string>;
  readonly links: ReadonlyMap<string, string>;
}

const HOPS_MAX = 40;

/**
 * Where each link leads, as a path of the commit, step by step as a file system would go. Links that lead out of the
 * repository, nowhere, or round in circles are left out.
 */
export function resolveLinks(tree: LinkedTree): ReadonlyMap<string, string> {
  const folders = foldersOf(tree);
  const resolved = new Map<string, string>();
  for (const link of tree.links.keys()) {
    const target = walk(tree.links, link);
    if (target === undefined || target === '') continue;
    if ((tree.files.has(target) || folders.has(target)) && !link.startsWith(`${target}/`)) {
      resolved.set(link, target);
    }
  }
  return resolved;
}

function walk(links: ReadonlyMap<string, string>, path: string): string | undefined {
  const left = path.split('/').reverse();
  const done: string[] = [];
  let hops = 0;
  while (left.length > 0) {
    const part = left.pop()!;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (done.pop() === undefined) return undefined;
      continue;
    }
    done.push(part);
    const text = links.get(done.join('/'));
    if (text === undefined) continue;
    hops += 1;
    if (text.startsWith('/') || hops > HOPS_MAX) return undefined;
    done.pop();
    left.push(...text.split('/').reverse());
  }
  return done.join('/');
}

function foldersOf({files, links}: LinkedTree): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of [...files, ...links.keys()]) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      folders.add(path.slice(0, end));
    }
  }
  return folders;
}
