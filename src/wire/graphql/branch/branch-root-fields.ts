import type {RootFieldsMaker} from '../types/root-fields.ts';
import {branchMutations} from './branch-mutations.ts';
import {branchQueries} from './branch-queries.ts';
import {commitQuery} from './commit-query.ts';
import {diffMutations} from './diff-mutations.ts';
import {diffQueries} from './diff-queries.ts';
import {revertMutation} from './revert-mutation.ts';

/** Root fields about branches, what differs between them, and bringing them together. */
export const branchRootFields: RootFieldsMaker = () => ({
  query: {...branchQueries, ...diffQueries, ...commitQuery},
  mutation: {...branchMutations, ...diffMutations, ...revertMutation},
});
