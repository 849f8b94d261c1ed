import type {RootFieldsMaker} from '../types/root-fields.ts';
import {branchMutations} from './branch-mutations.ts';
import {branchQueries} from './branch-queries.ts';
import {diffMutations} from './diff-mutations.ts';
import {diffQueries} from './diff-queries.ts';

/** Root fields about branches, what differs between them, and bringing them together. */
export const branchRootFields: RootFieldsMaker = () => ({
  query: {...branchQueries, ...diffQueries},
  mutation: {...branchMutations, ...diffMutations},
});
