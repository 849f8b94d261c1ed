import type {Json} from '../../base/json.ts';
import {nodeNotFound, validationError} from '../../domain/errors.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Neighbour, Snapshot} from '../../ports/graph-store.ts';

export const DEFINITION = 'CoreArtifactDefinition';
export const ARTIFACT = 'CoreArtifact';

/** An artifact definition with what it leads to. */
export interface Definition {
  readonly id: NodeId;
  readonly name: string;
  readonly artifactName: string;
  readonly contentType: string;
  readonly parameters: Json;
  readonly transform: NodeRecord;
  readonly query: NodeRecord;
  readonly repository: NodeRecord;
  /** The members of its group of targets. */
  readonly targets: readonly Neighbour[];
}

export async function readDefinition(snapshot: Snapshot, id: NodeId): Promise<Definition> {
  const node = await snapshot.node(id);
  if (node?.kind !== DEFINITION) throw nodeNotFound(DEFINITION, id);
  const transform = await peer(snapshot, node, 'transformation');
  const group = await peer(snapshot, node, 'targets');
  return {
    id,
    name: String(node.value('name')),
    artifactName: String(node.value('artifact_name')),
    contentType: String(node.value('content_type')),
    parameters: node.value('parameters'),
    transform,
    query: await peer(snapshot, transform, 'query'),
    repository: await peer(snapshot, transform, 'repository'),
    targets: await snapshot.neighbours(group.id, 'members'),
  };
}

async function peer(snapshot: Snapshot, node: NodeRecord, relationship: string): Promise<NodeRecord> {
  const [neighbour] = await snapshot.neighbours(node.id, relationship);
  const found = neighbour === undefined ? undefined : await snapshot.node(neighbour.id);
  if (found === undefined) throw validationError(`${node.kind} ${node.id} has no ${relationship}`);
  return found;
}

const ARTIFACTS_MAX = 100_000;

/** The artifacts that a branch has of a definition, by the objects that they are for. */
export async function artifactsOf(
  snapshot: Snapshot,
  definition: NodeId,
): Promise<ReadonlyMap<NodeId, NodeRecord>> {
  const {found} = await snapshot.query({
    kind: ARTIFACT,
    where: {is: 'related', relationship: 'definition', where: {is: 'id', in: [definition]}},
    page: {limit: ARTIFACTS_MAX, offset: 0},
    include: [{relationship: 'object', page: {limit: 1, offset: 0}}],
  });
  return new Map(
    found.flatMap(({node, included}) => {
      const target = included[0]?.found[0]?.node.id;
      return target === undefined ? [] : [[target, node] as const];
    }),
  );
}
