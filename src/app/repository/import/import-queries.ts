import type {NamedFile} from '../../../domain/repository/config.ts';
import {fragmentsIn, withFragments} from '../../../domain/repository/fragments.ts';
import type {Importing} from './importing.ts';
import {putOwned} from './put-owned.ts';

export const QUERY = 'CoreGraphQLQuery';

/** Stores queries with the shared fragments that they use written into them, so that each stands by itself. */
export async function importQueries(
  importing: Importing,
  queries: readonly NamedFile[],
  fragmentFiles: readonly NamedFile[],
): Promise<void> {
  const fragments = new Map<string, string>();
  for (const {name, path} of fragmentFiles) {
    await importing.attempt(`graphql_fragments "${name}"`, async () => {
      for (const file of await importing.files(path, /\.(?:gql|graphql)$/)) {
        for (const [key, text] of fragmentsIn(await importing.text(file))) fragments.set(key, text);
      }
    });
  }
  const repository = importing.subject.repository;
  for (const {name, path} of queries) {
    await importing.attempt(`queries "${name}"`, async () => {
      const query = withFragments(await importing.text(path), fragments);
      await putOwned(importing, QUERY, {name, values: {query}, peers: {repository}});
    });
  }
}
