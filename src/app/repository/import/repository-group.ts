import type {NodeId} from '../../../domain/graph/node-id.ts';
import {isKindOf} from '../../../domain/schema/lookup.ts';
import {deleteNode} from '../../node/delete-node.ts';
import {findNode} from '../../node/find-node.ts';
import type {Placed} from '../../node/node-work.ts';
import {upsertNode} from '../../node/upsert-node.ts';
import type {Importing} from './importing.ts';
import {ownedBy} from './put-owned.ts';

const REPOSITORY_GROUP = 'CoreRepositoryGroup';

/**
 * Keeps a group of the objects that the repository brought; those that it brings no more are deleted. Groups cannot be
 * members of a group: they are known by the source of their name.
 */
export async function keepMembers(
  importing: Importing,
  content: 'object' | 'menu',
  brought: readonly NodeId[],
  isWhole: boolean,
): Promise<void> {
  const {deps, subject} = importing;
  const snapshot = await deps.store.snapshot({branch: subject.branch});
  const schema = deps.schemas.of(snapshot);
  const name = `${subject.name} ${content}s`;
  const group = await findNode(snapshot, schema, REPOSITORY_GROUP, {id: name});
  if (group === undefined && brought.length === 0) return;
  const before: Placed[] = group === undefined ? [] : [...(await snapshot.neighbours(group.id, 'members'))];
  if (content === 'object') before.push(...(await ownedBy(snapshot, 'CoreGroup', subject.repository)));
  const nodes = (await snapshot.nodes(brought)).filter(node => node !== undefined);
  const now = new Set(nodes.map(({id}) => id));
  const gone = before.filter(({id}) => !now.has(id));
  const kept = [...nodes, ...(isWhole ? [] : gone)].filter(({kind}) => isKindOf(schema, kind, 'CoreNode'));
  await importing.attempt(`${content}s`, async () => {
    await importing.write(`${content}s`, scope =>
      upsertNode(scope, REPOSITORY_GROUP, {
        attributes: {name: {value: name}, content: {value: content}, group_type: {value: 'internal'}},
        relationships: {repository: {id: subject.repository}, members: kept.map(({id}) => ({id}))},
      }),
    );
  });
  if (isWhole) await remove(importing, gone);
}

async function remove(importing: Importing, gone: readonly Placed[]): Promise<void> {
  for (const {id, kind} of gone) {
    await importing.attempt(`Removing ${kind} ${id}`, async () => {
      await importing.write(`remove ${kind} ${id}`, async scope => {
        // An object that another one took along is gone already.
        if ((await scope.draft.node(id)) !== undefined) await deleteNode(scope, kind, {id});
      });
    });
  }
}
