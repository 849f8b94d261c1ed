import {sameJson} from '../../base/json.ts';
import type {AttributeWrite} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Draft, KindRecord} from '../../ports/graph-store.ts';
import {keptKinds, type SchemaPair} from './kept-kinds.ts';
import {recordsOf} from './schema-records.ts';
import type {Survey} from './survey/survey.ts';

/** Changes the schema of the draft's branch and rewrites the data as the survey found necessary. */
export async function putSchema(
  draft: Draft,
  before: SchemaPair,
  after: SchemaPair,
  survey: Survey,
): Promise<void> {
  const kept = keptKinds(before, after);
  await makeRoom(draft, survey);
  await putRecords(draft, recordsOf(after.source, after.schema, kept), kept);
  await fill(draft, survey);
}

/** Gives up, under the schema that is, what the next one cannot hold. */
export async function makeRoom(draft: Draft, survey: Survey): Promise<void> {
  const released = survey.releases.map(item => ({...item, write: {value: null}}));
  await update(draft, released);
  for (const end of survey.unlinks) await draft.unlink(end);
}

/** Writes, under the schema that has come, what the survey made of the data; of the objects that are wanted. */
export async function fill(
  draft: Draft,
  survey: Survey,
  isWanted: (id: NodeId) => boolean = () => true,
): Promise<void> {
  await update(
    draft,
    survey.writes.filter(({id}) => isWanted(id)),
  );
  await draft.linkAll([...survey.links].filter(({end}) => isWanted(end.node) && isWanted(end.peer)));
}

async function update(
  draft: Draft,
  items: readonly {readonly id: NodeId; readonly attribute: string; readonly write: AttributeWrite}[],
): Promise<void> {
  const byNode = new Map<NodeId, Record<string, AttributeWrite>>();
  for (const {id, attribute, write} of items) {
    const writes = byNode.get(id);
    if (writes === undefined) byNode.set(id, {[attribute]: write});
    else writes[attribute] = write;
  }
  for (const [id, writes] of byNode) await draft.update(id, writes);
}

/** Kinds that go come first, so that their names are free; kinds that trade names pass through a third. */
export async function putRecords(
  draft: Draft,
  records: ReadonlyMap<string, KindRecord>,
  kept: ReadonlySet<string> = new Set(),
): Promise<void> {
  const stored = new Map(draft.kinds().map(record => [record.shape.id, record]));
  const holders = new Map<string, KindRecord>();
  for (const [id, record] of stored) {
    if (records.has(id) || kept.has(id)) holders.set(record.shape.name, record);
    else await draft.dropKind(id);
  }
  for (const [id, record] of records) {
    const before = stored.get(id);
    if (before !== undefined && isSame(before, record)) continue;
    const holder = holders.get(record.shape.name);
    if (holder !== undefined && holder.shape.id !== id) {
      const aside = {...holder, shape: {...holder.shape, name: `renamed:${holder.shape.id}`}};
      await draft.putKind(aside);
    }
    if (before !== undefined) holders.delete(before.shape.name);
    await draft.putKind(record);
    holders.set(record.shape.name, record);
  }
}

const isSame = (a: KindRecord, b: KindRecord): boolean => sameJson(a as never, b as never);
