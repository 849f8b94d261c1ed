import type {Instant} from '../../domain/time/instant.ts';
import {FOREVER} from '../../domain/time/instant.ts';
import type {StoredDocument} from './document.ts';
import {halvesOf} from './edge-writer.ts';
import type {GraphContext} from './graph-view.ts';
import {layoutOf} from './graph-view.ts';
import type {GraphLayout} from './layout.ts';
import {entriesOf} from './node-writer.ts';
import type {StageFacts, StageNote} from './stage.ts';
import {forgetNote, forgetStage, nextNote, stageFacts} from './stage.ts';
import type {Work} from './statement.ts';
import {blind, read} from './statement.ts';
import type {Edge} from './touched.ts';

const TOUCHED_ROWS = `v.vid, v.node, v.f, v.kind, v.del, v.sk, v.doc`;
const PLACE = 'branch = ?1 AND attr = ?2 AND val = ?3 AND sk = ?4 AND node = ?5';
const HALF = 'src = ?1 AND rel = ?2 AND branch = ?3 AND dst = ?4';

/** Takes back a part of a write that landed in steps and did not reach its end; true when nothing is left of it. */
export function* takeBackSome(context: GraphContext): Work<boolean> {
  const stage = yield* stageFacts();
  if (stage === undefined) return true;
  const note = yield* nextNote();
  if (note === undefined) {
    yield* takeBackIndexes(context, stage);
    yield* forgetStage();
    return true;
  }
  if (note.branch === stage.held) yield* takeBackVersions(context, stage.at, note);
  else yield* takeBackNodes(context, stage, note);
  for (const edge of note.edges) yield* takeBackEdge(note.branch, stage.at, edge);
  yield forgetNote(note.key);
  return false;
}

/** Others write to the branch as well: the documents of its nodes say how they are indexed. */
function* takeBackNodes(context: GraphContext, {at}: StageFacts, {branch, nodes}: StageNote): Work<void> {
  const {dialect, book} = context;
  const layout = yield* layoutOf(context, book.lineage(branch, at));
  const rows = yield read(
    `SELECT ${TOUCHED_ROWS} FROM ${dialect.integers('?1')} p CROSS JOIN ver v
     WHERE v.node = p.value AND v.branch = ?2 AND (v.f = ?3 OR v.t = ?3) ORDER BY v.f DESC`,
    [JSON.stringify(nodes), branch, at],
  );
  for (const [version, node, since, kind, del, key, text] of rows) {
    const entries = del === 0 ? entriesIn(layout, kind as number, text as string) : [];
    const isMade = since === at;
    for (const [index, value] of entries) {
      const place = [branch, index, value, key as string, node as number] as const;
      if (isMade) {
        yield blind(`DELETE FROM ix WHERE ${PLACE} AND f = ?6`, [...place, at]);
        continue;
      }
      yield blind(
        `INSERT INTO ix (branch, attr, val, sk, node, f)
         SELECT branch, attr, val, sk, node, f FROM ixh WHERE ${PLACE} AND t = ?6`,
        [...place, at],
      );
      yield blind(`DELETE FROM ixh WHERE ${PLACE} AND t = ?6`, [...place, at]);
    }
    yield isMade
      ? blind('DELETE FROM ver WHERE vid = ?1', [version!])
      : blind('UPDATE ver SET t = ?2 WHERE vid = ?1', [version!, FOREVER]);
  }
}

function entriesIn(layout: GraphLayout, kind: number, text: string): ReturnType<typeof entriesOf> {
  const kindLayout = layout.bySerial.get(kind);
  return kindLayout === undefined ? [] : entriesOf(kindLayout, JSON.parse(text) as StoredDocument);
}

/** Nobody else writes to the branch: its indexes are taken back as a whole. */
function* takeBackVersions({dialect}: GraphContext, at: Instant, {branch, nodes}: StageNote): Work<void> {
  yield blind(
    `DELETE FROM ver WHERE vid IN (SELECT v.vid FROM ${dialect.integers('?1')} p CROSS JOIN ver v
       WHERE v.node = p.value AND v.branch = ?2 AND v.f = ?3)`,
    [JSON.stringify(nodes), branch, at],
  );
  yield blind(
    `UPDATE ver SET t = ?4 WHERE vid IN (SELECT v.vid FROM ${dialect.integers('?1')} p CROSS JOIN ver v
       WHERE v.node = p.value AND v.branch = ?2 AND v.t = ?3)`,
    [JSON.stringify(nodes), branch, at, FOREVER],
  );
}

function* takeBackEdge(branch: number, at: Instant, edge: Edge): Work<void> {
  for (const [source, code, target] of halvesOf(edge)) {
    const place = [source, code, branch, target, at] as const;
    yield blind(`DELETE FROM edge WHERE ${HALF} AND f = ?5`, place);
    yield blind(
      `INSERT INTO edge (src, rel, branch, dst, f, del, props)
       SELECT src, rel, branch, dst, f, del, props FROM edgeh WHERE ${HALF} AND t = ?5`,
      place,
    );
    yield blind(`DELETE FROM edgeh WHERE ${HALF} AND t = ?5`, place);
  }
}

/** Ended entries and ended keys stand in one table. */
function* takeBackIndexes(context: GraphContext, {held, at}: StageFacts): Work<void> {
  yield blind('DELETE FROM ix WHERE branch = ?1 AND f = ?2', [held, at]);
  yield blind('DELETE FROM uniq WHERE branch = ?1 AND f = ?2', [held, at]);
  const layout = yield* layoutOf(context, context.book.lineage(held, at));
  const constraints = new Set<number>();
  for (const {unique} of layout.kinds.values()) for (const {serial} of unique) constraints.add(serial);
  const list = JSON.stringify([...constraints]);
  const isKey = `attr IN (SELECT value FROM ${context.dialect.integers('?3')})`;
  yield blind(
    `INSERT INTO uniq (branch, con, key, node, f)
     SELECT branch, attr, val, node, f FROM ixh WHERE branch = ?1 AND t = ?2 AND ${isKey}`,
    [held, at, list],
  );
  yield blind(
    `INSERT INTO ix (branch, attr, val, sk, node, f)
     SELECT branch, attr, val, sk, node, f FROM ixh WHERE branch = ?1 AND t = ?2 AND NOT ${isKey}`,
    [held, at, list],
  );
  yield blind('DELETE FROM ixh WHERE branch = ?1 AND t = ?2', [held, at]);
}
