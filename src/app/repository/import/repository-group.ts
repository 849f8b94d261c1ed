import type {NodeId} from '../../../domain/graph/node-id.ts';
import {deleteNode} from '../../node/delete-node.ts';
import {findNode} from '../../node/find-node.ts';
import {upsertNode} from '../../node/upsert-node.ts';
import type {Importing} from './importing.ts';

const GROUP = 'CoreRepositoryGroup';

/** Keeps the group of objects that the repository brought; those that it brings no more are deleted. */
export async function keepMembers(
  importing: Importing,
  content: 'object' | 'menu',
  brought: readonly NodeId[],
  isWhole: boolean,
): Promise<void> {
  const {deps, subject} = importing;
  const name = `${subject.name} ${content}s`;
  const snapshot = await deps.store.snapshot({branch: subject.branch});
  const group = await findNode(snapshot, deps.schemas.of(snapshot), GROUP, {id: name});
  if (group === undefined && brought.length === 0) return;
  const before = group === undefined ? [] : await snapshot.neighbours(group.id, 'members');
  const now = new Set(brought);
  const gone = before.filter(({id}) => !now.has(id));
  const members = [...now, ...(isWhole ? [] : gone.map(({id}) => id))];
  await importing.attempt(`${content}s`, async () => {
    await importing.write(`${content}s`, scope =>
      upsertNode(scope, GROUP, {
        attributes: {
          name: {value: name},
          content: {value: content},
          group_type: {value: 'internal'},
        },
        relationships: {repository: {id: subject.repository}, members: members.map(id => ({id}))},
      }),
    );
  });
  if (!isWhole) return;
  for (const {id, kind} of gone) {
    await importing.attempt(`Removing ${kind} ${id}`, async () => {
      await importing.write(`remove ${kind} ${id}`, async scope => {
        // An object that another one took along is gone already.
        if ((await scope.draft.node(id)) !== undefined) await deleteNode(scope, kind, {id});
      });
    });
  }
}
