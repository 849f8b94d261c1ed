import type {NodeRecord} from '../../domain/graph/node.ts';
import {relationshipOf} from '../../domain/schema/lookup.ts';
import type {ConcreteSchema} from '../../domain/schema/schema.ts';
import {requireNode} from './find-node.ts';
import type {NodeInput} from './node-input.ts';
import type {NodeWork} from './node-work.ts';
import {listOf} from './related-input.ts';

/** The profiles that an input gives an object: they speak before it is written, and may supply what is mandatory. */
export async function namedProfiles(
  work: NodeWork,
  kind: ConcreteSchema,
  input: NodeInput,
): Promise<readonly NodeRecord[]> {
  const relationship = relationshipOf(kind, 'profiles');
  if (relationship?.kind !== 'Profile') return [];
  const profiles: NodeRecord[] = [];
  for (const {id, hfid, kind: asked, data} of listOf(input.relationships.profiles ?? null)) {
    if (data !== undefined || (id === undefined && hfid === undefined)) continue;
    const reference = {...(id === undefined ? {} : {id}), ...(hfid === undefined ? {} : {hfid})};
    profiles.push(await requireNode(work.draft, work.schema, asked ?? relationship.peer, reference));
  }
  return profiles;
}
