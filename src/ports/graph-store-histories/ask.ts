import type {Cursor, NodeQuery} from '../../domain/query/node-query.ts';
import type {Snapshot} from '../graph-store.ts';
import {type Shown, shownFound, shownPage} from './shown.ts';

/** The whole answer to a query; by pages of some size when asked to, which must make no difference. */
export async function answerOf(
  snapshot: Snapshot,
  {pagesOf, ...query}: NodeQuery & {readonly pagesOf?: number | undefined},
): Promise<Shown> {
  if (pagesOf === undefined || query.nodes === false)
    return shownPage(await snapshot.query(query), query, snapshot);
  const found: Shown[] = [];
  let count: number | undefined;
  let after: Cursor | null = null;
  for (;;) {
    const page = await snapshot.query({...query, page: {limit: pagesOf, after}});
    found.push(...page.found.map(item => shownFound(item, query.include ?? [], snapshot)));
    count = page.count;
    if (!page.hasMore) return {found, count, hasMore: false};
    after = page.found.at(-1)!.cursor;
  }
}
