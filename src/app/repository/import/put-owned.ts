import type {Json} from '../../../base/json.ts';
import {constraintViolation} from '../../../domain/errors.ts';
import type {NodeRecord} from '../../../domain/graph/node.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import type {Snapshot} from '../../../ports/graph-store.ts';
import {deleteNode} from '../../node/delete-node.ts';
import {findNode} from '../../node/find-node.ts';
import type {NodeInput, RelatedInput} from '../../node/node-input.ts';
import {upsertNode} from '../../node/upsert-node.ts';
import type {WriteScope} from '../../write.ts';
import type {Importing} from './importing.ts';

export interface OwnedRecord {
  readonly name: string;
  readonly values: Readonly<Record<string, Json | undefined>>;
  readonly peers: Readonly<Record<string, NodeId>>;
}

const OWNED_MAX = 10_000;

/** Whose import an object is: the repository stands as the source of its name. */
const isOf = (node: NodeRecord, repository: NodeId): boolean => node.attribute('name')?.source === repository;

/** Makes or changes a record of the repository, known by its name; a record of somebody else is left alone. */
export async function putOwned(importing: Importing, kind: string, record: OwnedRecord): Promise<void> {
  const {repository} = importing.subject;
  await importing.write(`${kind} ${record.name}`, async scope => {
    const there = await findNode(scope.draft, scope.schema, kind, {id: record.name});
    if (there !== undefined && !isOf(there, repository)) {
      throw constraintViolation(`a ${there.kind} of this name is there and is not of this repository`);
    }
    await upsertNode(scope, kind, inputOf(record, repository));
  });
}

function inputOf({name, values, peers}: OwnedRecord, source: NodeId): NodeInput {
  const given = Object.entries({...values, name}).filter(([, value]) => value !== undefined);
  const attributes = given.map(([key, value]) => [key, {value: value as Json, source}]);
  const related = Object.entries(peers).map(([key, id]): [string, RelatedInput] => [key, {id}]);
  return {attributes: Object.fromEntries(attributes), relationships: Object.fromEntries(related)};
}

/** Deletes the repository's records of a kind that it brings no more. */
export async function removeGone(
  importing: Importing,
  kind: string,
  kept: ReadonlySet<string>,
): Promise<void> {
  const {branch, repository} = importing.subject;
  const snapshot = await importing.deps.store.snapshot({branch});
  for (const node of await ownedBy(snapshot, kind, repository)) {
    const name = String(node.value('name'));
    if (kept.has(name)) continue;
    await importing.attempt(`Removing ${node.kind} ${name}`, async () => {
      await importing.write(`remove ${node.kind} ${name}`, (scope: WriteScope) =>
        deleteNode(scope, node.kind, {id: node.id}),
      );
    });
  }
}

export async function ownedBy(
  snapshot: Snapshot,
  kind: string,
  repository: NodeId,
): Promise<readonly NodeRecord[]> {
  const {found} = await snapshot.query({
    kind,
    where: {is: 'metadata', attribute: 'name', test: {field: 'source', in: [repository]}},
    page: {limit: OWNED_MAX, offset: 0},
  });
  return found.map(({node}) => node);
}
