import {assert} from '../../base/assert.ts';
import {md5Hex} from '../../base/hash.ts';
import type {Json} from '../../base/json.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {createNode} from '../node/create-node.ts';
import type {AttributeInput} from '../node/node-input.ts';
import {updateNode} from '../node/update-node.ts';
import {putQueryGroup} from '../query/put-query-group.ts';
import type {Storage} from '../storage/upload-object.ts';
import type {WriteScope} from '../write.ts';
import {ARTIFACT, type Definition} from './definition.ts';
import type {MadeContent} from './make-content.ts';
import {leaveOtherGroups} from './query-groups.ts';

/** One artifact that was made, its content stored where that is new. */
export interface MadeArtifact {
  readonly target: NodeRecord;
  readonly existing: NodeRecord | undefined;
  readonly made: MadeContent;
  /** Absent when the content is what the artifact has already, or there is none. */
  readonly stored: {readonly checksum: string; readonly storageId: string} | undefined;
}

/** Puts content into the storage, unless it is what the artifact has already. */
export async function storeContent(
  storage: Storage,
  existing: NodeRecord | undefined,
  made: MadeContent,
): Promise<MadeArtifact['stored']> {
  if (made.is === 'failed') return undefined;
  const checksum = md5Hex(made.text);
  const hasIt = existing?.value('checksum') === checksum && existing.value('storage_id') !== null;
  if (hasIt) return undefined;
  const outcome = await storage.objects.put(bytesOf(made.text), {bytesMax: storage.fileBytesMax});
  assert(outcome.is === 'stored', 'the size of the content was looked at before');
  return {checksum, storageId: outcome.object.identifier};
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** Writes down an artifact that was made, and the group of what it was made from, which it listens to. */
export async function writeArtifact(
  scope: WriteScope,
  definition: Definition,
  artifact: MadeArtifact,
  reason: string,
): Promise<void> {
  const {target, made} = artifact;
  // Its object may have gone while it was made.
  if ((await scope.draft.node(target.id)) === undefined) return;
  const attributes = attributesOf(definition, artifact, reason);
  const id = await putArtifact(scope, definition, artifact, attributes);
  const query = {id: definition.query.id, name: String(definition.query.value('name'))};
  const {variables, read} = made;
  const group = await putQueryGroup(scope, {query, variables, read, subscribers: [id]});
  await leaveOtherGroups(scope.draft, id, group.id);
}

async function putArtifact(
  scope: WriteScope,
  definition: Definition,
  {target, existing}: MadeArtifact,
  attributes: Readonly<Record<string, AttributeInput>>,
): Promise<NodeId> {
  const isThere = existing !== undefined && (await scope.draft.node(existing.id)) !== undefined;
  if (isThere) {
    return (await updateNode(scope, ARTIFACT, {id: existing.id, attributes, relationships: {}})).id;
  }
  const relationships = {object: {id: target.id}, definition: {id: definition.id}};
  return (await createNode(scope, ARTIFACT, {attributes, relationships})).id;
}

/** An artifact that cannot be made keeps what it had, and says why it is no longer right. */
function attributesOf(
  definition: Definition,
  {made, stored, existing}: MadeArtifact,
  reason: string,
): Readonly<Record<string, AttributeInput>> {
  const isFailed = made.is === 'failed';
  const values: Readonly<Record<string, Json>> = {
    name: definition.artifactName,
    content_type: definition.contentType,
    parameters: made.variables,
    status: isFailed ? 'Error' : 'Ready',
    problem: isFailed ? made.problem : null,
    ...(stored === undefined ? {} : {checksum: stored.checksum, storage_id: stored.storageId}),
    // Work that changed nothing is no reason to be remembered.
    ...(stored !== undefined || isFailed || existing === undefined ? {reason} : {}),
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, {value}]));
}
