import type {NodeChange} from '../../domain/diff/change.ts';
import type {AttributeState, NodeRecord} from '../../domain/graph/node.ts';
import type {Include, NodeQuery} from '../../domain/query/node-query.ts';
import type {CommitRecord, Found, Page, Snapshot} from '../graph-store.ts';

/** Answers as plain data in one form, so that those of two stores can be compared. */
export type Shown = unknown;

export const shownPage = (page: Page, query: Omit<NodeQuery, 'kind'>, snapshot: Snapshot): Shown => ({
  found: page.found.map(found => shownFound(found, query.include ?? [], snapshot)),
  count: page.count,
  hasMore: query.nodes !== false && page.hasMore,
});

export function shownFound(found: Found, includes: readonly Include[], snapshot: Snapshot): Shown {
  return {
    node: shownNode(found.node, snapshot),
    edge: found.edge,
    included: found.included.map((page, index) => {
      const include = includes[index]!;
      const shown = shownPage(page, include, snapshot) as {found: {edge: unknown}[]};
      // Several ways may lead to an object, and any of them may be told.
      if (include.transitive !== undefined || include.ofDescendants !== undefined) {
        for (const item of shown.found) item.edge = item.edge !== undefined;
      }
      return shown;
    }),
  };
}

export function shownNode(node: NodeRecord, snapshot: Snapshot): Shown {
  const names = snapshot.kind(node.kind)?.attributes.map(item => item.name) ?? [];
  return {
    id: node.id,
    kind: node.kind,
    createdAt: node.createdAt,
    updatedAt: node.updatedAt,
    attributes: Object.fromEntries(names.map(name => [name, node.attribute(name)])),
    values: Object.fromEntries(names.map(name => [name, node.value(name)])),
  };
}

/**
 * Without the time, since an object may have been touched and left as it was, and without the edges between aware and agnostic objects: these
 * end from elsewhere, by the end of the peer.
 */
export function shownChanges(changes: readonly NodeChange[]): readonly Omit<NodeChange, 'changedAt'>[] {
  return changes
    .map(change => ({
      id: change.id,
      kind: change.kind,
      action: change.action,
      attributes: change.attributes
        .filter(item => change.action === 'updated' || !isBlank(item.before ?? item.after))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      edges: change.edges
        .filter(edge => edge.relationship !== 'keeper' && change.kind !== 'TestAccount')
        .toSorted((a, b) => (`${a.relationship} ${a.peer}` < `${b.relationship} ${b.peer}` ? -1 : 1)),
    }))
    .filter(change => change.action !== 'updated' || change.attributes.length + change.edges.length > 0)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Without the count of edges: whether those count that end on other branches, with an agnostic object, is open. */
export const shownCommits = (commits: readonly CommitRecord[]): Shown =>
  commits.map(({branch, instant, author, message, nodesTouched}) => ({
    branch,
    instant,
    author,
    message,
    nodesTouched,
  }));

const isBlank = (state: AttributeState | undefined): boolean =>
  state === undefined ||
  (state.value === null && state.isDefault && state.source === null && state.owner === null);
