import {canonicalJson} from '../../base/json.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import type {NodeRecord} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import {authorize, type Caller} from '../caller.ts';
import type {Services} from '../services.ts';
import {ARTIFACT} from './definition.ts';

export interface ArtifactContent {
  readonly storageId: string | null;
  readonly checksum: string | null;
}

/** An artifact of a branch that differs from the one of the default branch for the same object and definition. */
export interface ArtifactChange {
  readonly id: NodeId;
  readonly name: string;
  readonly action: 'added' | 'updated' | 'removed';
  readonly target: NodeRecord | undefined;
  readonly now: ArtifactContent | null;
  readonly before: ArtifactContent | null;
}

type Deps = Pick<Services, 'store'>;

interface Placed {
  readonly artifact: NodeRecord;
  readonly target: NodeRecord | undefined;
}

const ARTIFACTS_MAX = 100_000;

/** How the artifacts of a branch differ from those of the default branch; those that do not are left out. */
export async function diffArtifacts(
  {store}: Deps,
  caller: Caller,
  snapshot: Snapshot,
): Promise<readonly ArtifactChange[]> {
  const {defaultBranch} = store;
  if (snapshot.branch === defaultBranch) return [];
  for (const branch of [snapshot.branch, defaultBranch] as BranchName[]) {
    const onDefaultBranch = branch === defaultBranch;
    authorize(caller, {is: 'object', action: 'view', kind: ARTIFACT, onDefaultBranch});
  }
  const [ours, theirs] = await Promise.all([
    artifactsIn(snapshot),
    artifactsIn(await store.snapshot({branch: defaultBranch})),
  ]);
  const changes: ArtifactChange[] = [];
  for (const [key, {artifact, target}] of ours) {
    const other = theirs.get(key)?.artifact;
    const now = contentOf(artifact);
    const before = other === undefined ? null : contentOf(other);
    if (before !== null && canonicalJson({...now}) === canonicalJson({...before})) continue;
    const action = before === null ? 'added' : 'updated';
    changes.push({id: artifact.id, name: String(artifact.value('name')), action, target, now, before});
  }
  for (const [key, {artifact, target}] of theirs) {
    if (ours.has(key) || !(await wasThere(store, snapshot, artifact))) continue;
    const before = contentOf(artifact);
    const name = String(artifact.value('name'));
    changes.push({id: artifact.id, name, action: 'removed', target, now: null, before});
  }
  return changes;
}

/** An artifact that was made on the default branch after the fork was not removed by the branch. */
async function wasThere(
  {branch}: Deps['store'],
  {branch: name}: Snapshot,
  artifact: NodeRecord,
): Promise<boolean> {
  return artifact.createdAt <= (await branch(name)).forkedAt;
}

const contentOf = (artifact: NodeRecord): ArtifactContent => {
  const text = (name: string) => {
    const value = artifact.value(name);
    return typeof value === 'string' ? value : null;
  };
  return {storageId: text('storage_id'), checksum: text('checksum')};
};

async function artifactsIn(snapshot: Snapshot): Promise<ReadonlyMap<string, Placed>> {
  const one = {limit: 1, offset: 0};
  const {found} = await snapshot.query({
    kind: ARTIFACT,
    page: {limit: ARTIFACTS_MAX, offset: 0},
    include: [
      {relationship: 'object', page: one},
      {relationship: 'definition', page: one},
    ],
  });
  return new Map(
    found.map(({node, included: [objects, definitions]}) => {
      const target = objects?.found[0]?.node;
      return [`${definitions?.found[0]?.node.id} ${target?.id}`, {artifact: node, target}];
    }),
  );
}
