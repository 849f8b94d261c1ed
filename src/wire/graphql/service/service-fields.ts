import {relationshipMutations} from '../mutation/relationship-mutations.ts';
import type {RootFieldsMaker} from '../types/root-fields.ts';
import {relationshipQuery} from './relationship-query.ts';
import {schemaMutations} from './schema-mutations.ts';
import {serviceQueries} from './service-queries.ts';

/** Root fields that belong to no kind. */
export const serviceFields: RootFieldsMaker = () => ({
  query: {...serviceQueries, ...relationshipQuery},
  mutation: {...relationshipMutations, ...schemaMutations},
});
