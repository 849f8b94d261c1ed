import {ServiceError} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {invalidFields} from '../../domain/node/field-problem.ts';
import {parseLocation} from '../../domain/repository/location.ts';
import {isKindOf} from '../../domain/schema/lookup.ts';
import type {NodeWork} from '../node/node-work.ts';
import {REPOSITORY} from './find-repository.ts';

/** Refuses a repository whose location Git could not be given. */
export async function settleRepositories(work: NodeWork): Promise<void> {
  for (const [id, kind] of written(work)) {
    if (work.deleted.has(id) || !isKindOf(work.schema, kind, REPOSITORY)) continue;
    const location = (await work.node(id))?.value('location');
    try {
      parseLocation(String(location ?? ''));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw invalidFields(kind, [{field: 'location', message: error.message}]);
    }
  }
}

function written({made, values}: NodeWork): ReadonlyMap<NodeId, string> {
  const changed = [...values].filter(([, {names}]) => names.has('location'));
  return new Map([...made, ...changed.map(([id, {kind}]) => [id, kind] as const)]);
}
