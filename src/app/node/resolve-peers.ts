import {nodeNotFound} from '../../domain/errors.ts';
import type {EdgeProperties, NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {isNodeId} from '../../domain/graph/node-id.ts';
import type {FieldProblem} from '../../domain/node/field-problem.ts';
import {peerFitProblem} from '../../domain/node/peer-fit.ts';
import {concreteKindOf, isKindOf, kindOf} from '../../domain/schema/lookup.ts';
import type {ConcreteSchema, RelationshipSchema} from '../../domain/schema/schema.ts';
import {lineageOf} from './lineage.ts';
import type {NodeInput, RelatedInput} from './node-input.ts';
import type {NodeWork} from './node-work.ts';

/** A peer that is there, or one to be made. */
export type PlannedPeer =
  | {readonly is: 'known'; readonly node: NodeRecord; readonly properties: Partial<EdgeProperties>}
  | {
      readonly is: 'new';
      readonly kind: string;
      readonly data: NodeInput;
      readonly properties: Partial<EdgeProperties>;
    };

/** Finds the peers that an input names. A peer that does not exist is an error of its own, the rest are problems. */
export async function resolvePeers(
  work: NodeWork,
  kind: ConcreteSchema,
  relationship: RelationshipSchema,
  list: readonly RelatedInput[],
  problems: FieldProblem[],
): Promise<readonly PlannedPeer[]> {
  const byId = await nodesByIds(work, list);
  const planned: PlannedPeer[] = [];
  for (const related of list) {
    const properties = await propertiesOf(work, relationship, related, problems);
    if (related.data !== undefined) {
      const peerKind = newPeerKind(work, kind, relationship, related, problems);
      if (peerKind !== undefined) planned.push({is: 'new', kind: peerKind, data: related.data, properties});
      continue;
    }
    const node = await knownPeer(work, relationship, related, byId, problems);
    if (node === undefined) continue;
    const problem = peerFitProblem(work.facts, kind.kind, relationship, node.kind);
    if (problem === undefined) planned.push({is: 'known', node, properties});
    else problems.push({field: relationship.name, message: problem});
  }
  return planned;
}

/** Ids are looked up together; the map answers for each id in lower case. */
async function nodesByIds(
  work: NodeWork,
  list: readonly RelatedInput[],
): Promise<ReadonlyMap<string, NodeRecord>> {
  const ids = new Set<NodeId>();
  for (const {id, data} of list) {
    const lower = id?.toLowerCase();
    if (data === undefined && lower !== undefined && isNodeId(lower)) ids.add(lower);
  }
  const [only] = ids;
  if (only === undefined) return new Map();
  const nodes = ids.size === 1 ? [await work.node(only)] : await work.draft.nodes([...ids]);
  return new Map(nodes.flatMap(node => (node === undefined ? [] : [[node.id, node] as const])));
}

async function knownPeer(
  work: NodeWork,
  relationship: RelationshipSchema,
  related: RelatedInput,
  byId: ReadonlyMap<string, NodeRecord>,
  problems: FieldProblem[],
): Promise<NodeRecord | undefined> {
  const {id, hfid} = related;
  const field = relationship.name;
  if (id === undefined && hfid === undefined) {
    problems.push({field, message: 'A related object needs an id, an hfid or data'});
    return undefined;
  }
  const lower = id?.toLowerCase() ?? '';
  if (isNodeId(lower)) {
    const node = byId.get(lower);
    if (node === undefined) throw nodeNotFound(relationship.peer, lower);
    return node;
  }
  const asked = askedKind(work, relationship, related, problems);
  if (asked === undefined) return undefined;
  return work.found.peer(asked, {
    ...(id === undefined ? {} : {id}),
    ...(hfid === undefined ? {} : {hfid}),
  });
}

/** The kind in which a human-friendly id is looked up. */
function askedKind(
  work: NodeWork,
  relationship: RelationshipSchema,
  related: RelatedInput,
  problems: FieldProblem[],
): string | undefined {
  const field = relationship.name;
  if (related.kind !== undefined) {
    if (kindOf(work.schema, related.kind) !== undefined) return related.kind;
    problems.push({field, message: `${related.kind} is not a kind`});
    return undefined;
  }
  const peer = kindOf(work.schema, relationship.peer);
  const isKnownBy = related.hfid === undefined ? peer?.default_filter : peer?.human_friendly_id;
  if (peer?.type === 'generic' && (isKnownBy ?? peer.human_friendly_id) === null) {
    problems.push({field, message: `${relationship.peer} is a generic; say the kind of the related object`});
    return undefined;
  }
  return relationship.peer;
}

function newPeerKind(
  work: NodeWork,
  kind: ConcreteSchema,
  relationship: RelationshipSchema,
  related: RelatedInput,
  problems: FieldProblem[],
): string | undefined {
  const field = relationship.name;
  const {schema} = work;
  const asked = related.kind ?? relationship.peer;
  if (related.id !== undefined || related.hfid !== undefined) {
    problems.push({field, message: 'A related object is given either by id, by hfid or by data'});
    return undefined;
  }
  if (concreteKindOf(schema, asked) === undefined) {
    const message = schema.generics.has(asked)
      ? `${asked} is a generic; say the kind of the object to create`
      : `${asked} is not a kind`;
    problems.push({field, message});
    return undefined;
  }
  const problem = isKindOf(schema, asked, relationship.peer)
    ? peerFitProblem(work.facts, kind.kind, relationship, asked)
    : `${field} takes objects of ${relationship.peer}, not of ${asked}`;
  if (problem === undefined) return asked;
  problems.push({field, message: problem});
  return undefined;
}

async function propertiesOf(
  work: NodeWork,
  relationship: RelationshipSchema,
  related: RelatedInput,
  problems: FieldProblem[],
): Promise<Partial<EdgeProperties>> {
  const {isProtected, isVisible, source, owner} = related;
  const hasLineage = source !== undefined || owner !== undefined;
  return {
    ...(isProtected === undefined ? {} : {isProtected}),
    ...(isVisible === undefined ? {} : {isVisible}),
    ...(hasLineage ? await lineageOf(work, relationship.name, related, problems) : {}),
  };
}
