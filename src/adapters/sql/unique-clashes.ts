import type {Instant} from '../../domain/time/instant.ts';
import type {UniqueClash} from '../../ports/merge-store.ts';
import {readerOf} from './branch-diff.ts';
import type {GraphContext} from './graph-view.ts';
import type {Row, Work} from './statement.ts';
import {Parameters, read} from './statement.ts';
import {hiddenVersion} from './visibility.ts';

/** The unique values that objects of a branch and others of its origin hold at once: its own keys, looked up below. */
export function* clashesOf(context: GraphContext, branch: number, at: Instant): Work<readonly UniqueClash[]> {
  const {book} = context;
  const base = book.baseOf(branch);
  if (base === undefined) return [];
  const pairs = yield* sharedKeys(context, branch, base.parent, at);
  if (pairs.length === 0) return [];
  const own = yield* readerOf(context, book.lineage(branch, at));
  const origin = yield* readerOf(context, book.lineage(base.parent, at));
  const serials = (place: 1 | 2) => [...new Set(pairs.map(pair => pair[place] as number))];
  const ours = new Map((yield* own.load(yield* own.versions(serials(1)))).map(node => [node.serial, node]));
  const theirs = new Map(
    (yield* origin.load(yield* origin.versions(serials(2)))).map(node => [node.serial, node]),
  );
  return pairs.flatMap(([constraint, mine, other]) => {
    const node = ours.get(mine as number);
    const existing = theirs.get(other as number);
    const unique = node?.layout.unique.find(each => each.serial === constraint);
    if (node === undefined || existing === undefined || unique === undefined) return [];
    const fields = unique.shape.parts.map(part => part.name);
    return [{kind: node.kind, id: node.id, existing: existing.id, fields}];
  });
}

/**
 * The own keys, each with whoever holds it below: at an instant that is one object at most. Asked key by key, so that
 * no planner begins with the keys of the origin, of which there may be any number.
 */
function* sharedKeys(
  {book}: GraphContext,
  branch: number,
  parent: number,
  at: Instant,
): Work<readonly Row[]> {
  const parameters = new Parameters();
  const own = parameters.bind(branch);
  const levels = book.lineage(parent, at).branch;
  const arms: string[] = [];
  for (const [depth, level] of levels.entries()) {
    const until = parameters.bind(level.until);
    const place = `x.branch = ${parameters.bind(level.branch)} AND x.node <> b.node AND x.f <= ${until}`;
    const hidden = hiddenVersion(levels.slice(0, depth), 'x.node', parameters);
    const arm = (holder: string) =>
      `SELECT b.con, b.node, (${holder}) AS holder FROM uniq b WHERE b.branch = ${own}`;
    arms.push(arm(`SELECT x.node FROM uniq x WHERE ${place} AND x.con = b.con AND x.key = b.key${hidden}`));
    if (!level.isCurrent) {
      arms.push(
        arm(`SELECT x.node FROM ixh x
          WHERE ${place} AND x.attr = b.con AND x.val = b.key AND x.t > ${until}${hidden} LIMIT 1`),
      );
    }
  }
  const union = arms.join(' UNION ALL ');
  return yield read(`SELECT con, node, holder FROM (${union}) k WHERE holder IS NOT NULL`, parameters.values);
}
