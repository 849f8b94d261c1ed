import {must} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import {sameJson} from '../../base/json.ts';
import type {AttributeWrite, NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {invalidFields} from '../../domain/node/field-problem.ts';
import type {NodeWork} from '../node/node-work.ts';
import type {QueryFacts} from './analyse-query.ts';

export const QUERY_KIND = 'CoreGraphQLQuery';

/**
 * Checks the stored queries that a verb has written, and fills in what can be told of them. A merge brings what each
 * side had accepted: there a query that the schema of the result no longer fits is left as it is.
 */
export async function settleQueries(work: NodeWork, rigour: 'strict' | 'lenient'): Promise<void> {
  for (const id of written(work)) {
    const node = work.deleted.has(id) ? undefined : await work.node(id);
    if (node !== undefined) await settleQuery(work, node, rigour);
  }
}

function written({made, values}: NodeWork): ReadonlySet<NodeId> {
  const ids = new Set<NodeId>();
  for (const [id, kind] of made) if (kind === QUERY_KIND) ids.add(id);
  for (const [id, {kind, names}] of values) if (kind === QUERY_KIND && names.has('query')) ids.add(id);
  return ids;
}

async function settleQuery(work: NodeWork, node: NodeRecord, rigour: 'strict' | 'lenient'): Promise<void> {
  const {analyseQuery} = work.scope;
  if (analyseQuery === undefined && rigour === 'lenient') return;
  const text = String(node.value('query') ?? '');
  const analysis = must(analyseQuery, 'who reads stored queries')(work.schema, text);
  if (analysis.is === 'valid') {
    const writes = changed(node, analysis.facts);
    if (Object.keys(writes).length > 0) await work.update(node.id, writes);
  } else if (rigour === 'strict') {
    const problems = analysis.problems.map(message => ({field: 'query', message}));
    throw invalidFields(QUERY_KIND, problems);
  }
}

function changed(node: NodeRecord, facts: QueryFacts): Record<string, AttributeWrite> {
  const writes: Record<string, AttributeWrite> = {};
  for (const [name, value] of Object.entries(facts) as [string, Json][]) {
    if (!sameJson(node.value(name), value)) writes[name] = {value, isDefault: false};
  }
  return writes;
}
