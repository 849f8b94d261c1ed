import type {NodeRecord} from '../../domain/graph/node.ts';
import {parseLocation} from '../../domain/repository/location.ts';
import type {GitCredential, GitRemote} from '../../ports/git-host.ts';
import type {Snapshot} from '../../ports/graph-store.ts';

/** Where a repository is and how to be let in. */
export async function remoteOf(snapshot: Snapshot, repository: NodeRecord): Promise<GitRemote> {
  return {
    id: repository.id,
    location: parseLocation(String(repository.value('location'))),
    credential: await credentialOf(snapshot, repository),
  };
}

async function credentialOf(snapshot: Snapshot, {id}: NodeRecord): Promise<GitCredential | undefined> {
  const [peer] = await snapshot.neighbours(id, 'credential');
  const credential = peer === undefined ? undefined : await snapshot.node(peer.id);
  if (credential === undefined) return undefined;
  const text = (name: string) => String(credential.value(name) ?? '');
  return {username: text('username'), password: text('password')};
}
