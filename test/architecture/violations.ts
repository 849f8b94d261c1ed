import {posix} from 'node:path';
import {HOUSE, isTestFile, type Room} from './house.ts';
import {hasUnreadableImport, importsOf, impureWord} from './imports.ts';

/** Source texts by path below `src`, such as `domain/errors.ts`. */
export type Sources = ReadonlyMap<string, string>;

type Graph = ReadonlyMap<string, readonly string[]>;

/** Everything in the sources that goes against the house, one sentence each. */
export function violationsIn(sources: Sources): readonly string[] {
  const found: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, source] of sources) {
    const inner: string[] = [];
    graph.set(file, inner);
    const room = HOUSE[roomOf(file)];
    if (room === undefined) {
      found.push(`${file} is in no room of the house`);
      continue;
    }
    if (posix.basename(file) === 'index.ts') found.push(`${file} is a barrel by name`);
    const impure = room.pure && !isTestFile(file) ? impureWord(source) : undefined;
    if (impure !== undefined) found.push(`${file} is not pure: ${impure}`);
    if (hasUnreadableImport(source)) found.push(`${file} imports a module whose name cannot be read`);
    for (const {specifier, reexport} of importsOf(source)) {
      if (!specifier.startsWith('.')) {
        if (!mayUse(room, file, specifier)) found.push(`${file} may not use ${specifier}`);
        continue;
      }
      const target = posix.join(posix.dirname(file), specifier);
      if (!sources.has(target)) {
        if (!isOutsideSource(target)) found.push(`${file} imports ${target}, which is not a file`);
        continue;
      }
      inner.push(target);
      if (reexport) found.push(`${file} passes on ${target}: import the file that defines it`);
      found.push(...arrowProblems(room, file, target));
    }
  }
  return [...found, ...cyclesIn(graph), ...roomCycle(graph, 'cli', 'main')];
}

const roomOf = (file: string) => file.slice(0, file.indexOf('/'));

/** Paths that leave `src`, such as the package's own package.json. */
const isOutsideSource = (target: string) => target.startsWith('../');

function mayUse(room: Room, file: string, specifier: string): boolean {
  return room.outside === 'any' || isTestFile(file) || room.outside.includes(specifier);
}

function arrowProblems(room: Room, file: string, target: string): readonly string[] {
  if (isTestFile(file)) return [];
  if (isTestFile(target)) return [`${file} imports ${target}, which is for tests only`];
  const [from, to] = [roomOf(file), roomOf(target)];
  return from === to || room.knows.includes(to)
    ? []
    : [`${file} imports ${target}: ${from} may not know ${to}`];
}

/** One sentence for each group of files that import each other, directly or around a corner. */
function cyclesIn(graph: Graph): readonly string[] {
  const found: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const path: string[] = [];
  const visit = (file: string) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      found.push(`a cycle: ${[...path.slice(path.indexOf(file)), file].join(' -> ')}`);
      return;
    }
    state.set(file, 'open');
    path.push(file);
    for (const target of graph.get(file) ?? []) visit(target);
    path.pop();
    state.set(file, 'done');
  };
  for (const file of graph.keys()) visit(file);
  return found;
}

/** `cli` and `main` may each know the other, but not both at once. */
function roomCycle(graph: Graph, one: string, other: string): readonly string[] {
  const arrow = (from: string, to: string) =>
    [...graph].some(
      ([file, targets]) => roomOf(file) === from && targets.some(target => roomOf(target) === to),
    );
  return arrow(one, other) && arrow(other, one) ? [`${one} and ${other} know each other`] : [];
}
