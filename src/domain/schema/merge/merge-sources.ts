import {canonicalJson, type Json, sameJson} from '../../../base/json.ts';
import {lateAttributes} from '../apply/late-attributes.ts';
import {type KindDefinition, kindName, type SchemaSource} from '../source.ts';
import {Conflicts, type MergeConflict, oneSided, type Side} from './conflict.ts';
import {mergeKind, sharedName, withoutLate} from './merge-kind.ts';

export type MergedSources = {
  /** With each conflict settled as chosen. */
  readonly source: SchemaSource;
  readonly conflicts: readonly MergeConflict[];
};

/**
 * Brings together what two branches made of one schema. Kinds and fields are matched by id, so a rename on
 * one side and a change on the other meet. Additions unite; the same change on both sides is no conflict.
 * `choose` says which side a conflict, named by its path, is settled to.
 */
export function mergeSources(
  base: SchemaSource,
  ours: SchemaSource,
  theirs: SchemaSource,
  choose: (path: string) => Side = () => 'ours',
): MergedSources {
  if (ours === theirs || base === theirs) return {source: ours, conflicts: []};
  if (base === ours) return {source: theirs, conflicts: []};
  const conflicts = new Conflicts(choose);
  const [before, mine, other] = [byId(base), byId(ours), byId(theirs)];
  const kinds = new Map<string, KindDefinition>();
  for (const id of inOrder(before, mine, other)) {
    const kind = mergeOne(before.get(id), mine.get(id), other.get(id), conflicts);
    if (kind === undefined) continue;
    const name = kindName(kind);
    const clash = kinds.get(name);
    const [one, two] = clash !== undefined && mine.has(clash.id) ? [clash, kind] : [kind, clash];
    kinds.set(name, two === undefined ? kind : conflicts.settle(name, undefined, one, two));
  }
  noteLate(kinds, [
    {source: ours, kinds: mine},
    {source: theirs, kinds: other},
  ]);
  return {source: {kinds, retired: mergeRetired(ours, theirs)}, conflicts: conflicts.list};
}

const byId = (source: SchemaSource): ReadonlyMap<string, KindDefinition> =>
  new Map([...source.kinds.values()].map(kind => [kind.id, kind]));

/** Kinds known to the base first, then the new ones by name: the same whichever side is ours. */
function inOrder(...sides: readonly ReadonlyMap<string, KindDefinition>[]): Iterable<string> {
  const [base, ...others] = sides;
  const added = new Map(others.flatMap(side => [...side].filter(([id]) => base?.has(id) !== true)));
  const sorted = [...added].sort(([, a], [, b]) => (kindName(a) < kindName(b) ? -1 : 1));
  return [...(base?.keys() ?? []), ...sorted.map(([id]) => id)];
}

function mergeOne(
  base: KindDefinition | undefined,
  ours: KindDefinition | undefined,
  theirs: KindDefinition | undefined,
  conflicts: Conflicts,
): KindDefinition | undefined {
  if (ours !== undefined && theirs !== undefined) return mergeKind(base, ours, theirs, conflicts);
  const single = oneSided(withoutLate(base), withoutLate(ours), withoutLate(theirs));
  if (single !== undefined) return single.value === undefined ? undefined : (ours ?? theirs);
  const path = sharedName([base, ours, theirs].map(kind => kind && kindName(kind)));
  return conflicts.settle(path, base, ours, theirs);
}

function mergeRetired(ours: SchemaSource, theirs: SchemaSource): SchemaSource['retired'] {
  const retired: Record<string, number> = {...ours.retired};
  for (const [key, count] of Object.entries(theirs.retired)) {
    retired[key] = Math.max(Object.hasOwn(retired, key) ? (retired[key] ?? 0) : 0, count);
  }
  return retired;
}

type View = {readonly source: SchemaSource; readonly kinds: ReadonlyMap<string, KindDefinition>};

/** An attribute is late on a node when objects of either side were written without it. */
function noteLate(kinds: Map<string, KindDefinition>, views: readonly View[]): void {
  for (const [name, node] of kinds) {
    if (node.type !== 'node') continue;
    const late: Record<string, Json> = {};
    const noted: Record<string, Json> = {};
    for (const {source, kinds: known} of views) {
      const was = known.get(node.id);
      if (was?.type !== 'node') continue;
      for (const [id, value] of Object.entries(lateAttributes(source.kinds, was, kinds, node))) {
        late[id] = value;
        if (Object.hasOwn(was.late, id)) noted[id] = lesser(noted[id], value);
      }
    }
    const united = {...late, ...noted};
    if (!sameJson(united, node.late)) kinds.set(name, {...node, late: united});
  }
}

const lesser = (a: Json | undefined, b: Json): Json =>
  a !== undefined && canonicalJson(a) < canonicalJson(b) ? a : b;
