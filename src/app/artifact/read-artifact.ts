import {nodeNotFound} from '../../domain/errors.ts';
import type {ObjectId} from '../../domain/storage/stored-object.ts';
import type {ReadPoint} from '../../ports/graph-store.ts';
import type {ObjectStore, OpenedObject} from '../../ports/object-store.ts';
import {authorize, type Caller} from '../caller.ts';
import {requireNode} from '../node/find-node.ts';
import type {Services} from '../services.ts';
import {ARTIFACT} from './definition.ts';

export interface ReadArtifact {
  readonly contentType: string;
  readonly checksum: string;
  readonly object: OpenedObject;
}

type Deps = Pick<Services, 'store' | 'schemas'> & {readonly objects: ObjectStore};

/** The content of an artifact, as a branch has it. */
export async function readArtifact(
  deps: Deps,
  caller: Caller,
  point: ReadPoint,
  id: string,
): Promise<ReadArtifact> {
  const onDefaultBranch = point.branch === deps.store.defaultBranch;
  authorize(caller, {is: 'object', action: 'view', kind: ARTIFACT, onDefaultBranch});
  const snapshot = await deps.store.snapshot(point);
  const artifact = await requireNode(snapshot, deps.schemas.of(snapshot), ARTIFACT, {id});
  const identifier = artifact.value('storage_id');
  const object = identifier === null ? undefined : await deps.objects.open(String(identifier) as ObjectId);
  if (object === undefined) throw nodeNotFound('StorageObject', String(identifier ?? id));
  return {
    contentType: String(artifact.value('content_type')),
    checksum: String(artifact.value('checksum')),
    object,
  };
}
