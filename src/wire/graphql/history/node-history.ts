import {type Json, sameJson} from '../../../base/json.ts';
import type {View} from '../../../domain/access/view.ts';
import type {NodeRecord} from '../../../domain/graph/node.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import {kindOf} from '../../../domain/schema/lookup.ts';
import type {Schema} from '../../../domain/schema/schema.ts';
import {formatInstant, type Instant} from '../../../domain/time/instant.ts';
import type {Snapshot, Touch} from '../../../ports/graph-store.ts';
import type {FieldContext} from '../engine.ts';

/** One field that a commit changed. Of a relationship, the ids of the peers it had and has. */
export interface FieldChange {
  readonly field: string;
  readonly is: 'attribute' | 'relationship';
  readonly previous_value: Json;
  readonly new_value: Json;
}

export interface HistoryEntry {
  readonly instant: Instant;
  readonly occurred_at: string;
  readonly branch: string;
  readonly action: 'CREATED' | 'UPDATED' | 'DELETED';
  readonly changes: readonly FieldChange[];
}

const SECRET_KINDS: ReadonlySet<string> = new Set(['Password', 'HashedPassword']);
const HIDDEN = '***';

/** What each of the commits did to the object; those that changed nothing to be seen are left out. */
export async function historyEntries(
  {services, schema, view}: FieldContext,
  id: NodeId,
  touches: readonly Touch[],
): Promise<readonly HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for (const {branch, instant} of touches) {
    const {store} = services;
    const [before, after] = [
      await store.snapshot({branch, at: (instant - 1) as Instant}),
      await store.snapshot({branch, at: instant}),
    ];
    const [was, is] = [await before.node(id), await after.node(id)];
    if (was === undefined && is === undefined) continue;
    const changes = [
      ...attributeChanges(schema, view, was, is),
      ...(await relationshipChanges(schema, view, id, before, was, after, is)),
    ];
    if (was !== undefined && is !== undefined && changes.length === 0) continue;
    const action = was === undefined ? 'CREATED' : is === undefined ? 'DELETED' : 'UPDATED';
    entries.push({instant, occurred_at: formatInstant(instant), branch, action, changes});
  }
  return entries;
}

function attributeChanges(
  schema: Schema,
  view: View,
  was: NodeRecord | undefined,
  is: NodeRecord | undefined,
): readonly FieldChange[] {
  const kind = kindOf(schema, (is ?? was)?.kind ?? '');
  const changes: FieldChange[] = [];
  for (const {name, kind: attributeKind} of kind?.attributes ?? []) {
    if (kind === undefined || !view.showsAttribute(kind.kind, name)) continue;
    const [previous, next] = [was?.value(name) ?? null, is?.value(name) ?? null];
    if (sameJson(previous, next)) continue;
    const shown = (value: Json) => (SECRET_KINDS.has(attributeKind) && value !== null ? HIDDEN : value);
    changes.push({field: name, is: 'attribute', previous_value: shown(previous), new_value: shown(next)});
  }
  return changes;
}

async function relationshipChanges(
  schema: Schema,
  view: View,
  id: NodeId,
  before: Snapshot,
  was: NodeRecord | undefined,
  after: Snapshot,
  is: NodeRecord | undefined,
): Promise<readonly FieldChange[]> {
  const kind = kindOf(schema, (is ?? was)?.kind ?? '');
  const names = (kind?.relationships ?? [])
    .filter(({peer}) => kindOf(schema, peer)?.namespace !== 'Internal')
    .map(({name}) => name);
  const [previous, next] = [
    await peersOf(view, before, was, id, names),
    await peersOf(view, after, is, id, names),
  ];
  return names.flatMap((field, place): readonly FieldChange[] => {
    const [old, now] = [previous[place] ?? [], next[place] ?? []];
    if (sameJson([...old], [...now])) return [];
    return [{field, is: 'relationship', previous_value: [...old], new_value: [...now]}];
  });
}

/** The sorted ids of the peers through each relationship. */
async function peersOf(
  view: View,
  snapshot: Snapshot,
  node: NodeRecord | undefined,
  id: NodeId,
  names: readonly string[],
): Promise<readonly (readonly NodeId[])[]> {
  if (node === undefined) return [];
  const {found} = await snapshot.query({
    kind: node.kind,
    where: {is: 'id', in: [id]},
    include: names.map(relationship => ({relationship})),
  });
  return (found[0]?.included ?? []).map(page =>
    page.found
      .filter(peer => view.shows(peer.node.kind))
      .map(peer => peer.node.id)
      .sort(),
  );
}
