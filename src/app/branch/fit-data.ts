import type {NodeChange} from '../../domain/diff/change.ts';
import {constraintViolation} from '../../domain/errors.ts';
import type {AttributeWrite} from '../../domain/graph/node.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {MergeWrite} from '../../domain/merge/merge-plan.ts';
import {classifyChanges} from '../../domain/schema/classify/classify-changes.ts';
import {concreteKindOf} from '../../domain/schema/lookup.ts';
import type {Schema} from '../../domain/schema/schema.ts';
import {Look, type Reads} from '../schema/survey/look.ts';
import type {Survey} from '../schema/survey/survey.ts';
import {surveyData} from '../schema/survey/survey-data.ts';
import {OBJECTS_NAMED_MAX} from '../schema/survey/violations.ts';
import {refuseProblems} from './merge-schemas.ts';

/**
 * What the schema that results asks of the data of one side, which has been kept under its own: the same look that
 * a load of that schema takes. Throws when objects stand in the way; nothing when both schemas are the same.
 */
export async function surveySide(
  reads: Reads,
  before: Schema,
  after: Schema,
  onDefaultBranch: boolean,
): Promise<Survey | undefined> {
  if (before === after) return undefined;
  const changes = classifyChanges(before, after);
  refuseProblems(changes.flatMap(change => (change.is === 'refused' ? change.problem : [])));
  const survey = await surveyData(reads, {before, after, changes}, onDefaultBranch);
  survey.violations.refuseAny();
  return survey;
}

/** Reads that see these objects alone. */
export function only(reads: Reads, ids: readonly NodeId[]): Reads {
  return {
    query: query => {
      const among = {is: 'id', in: ids} as const;
      const where = query.where === undefined ? among : {is: 'all' as const, of: [among, query.where]};
      return reads.query({...query, where});
    },
  };
}

/** Objects that one side made of a kind which the other side has removed have no place in the result. */
export function refuseHomeless(changes: readonly NodeChange[], result: Schema): void {
  const homeless = changes.filter(
    ({action, kind}) => action === 'added' && concreteKindOf(result, kind) === undefined,
  );
  refuseObjects(homeless, 'the origin', 'Delete them on the branch, or load the kind on the origin again');
}

/**
 * Objects that the origin has made of a kind which the branch has removed: those that the branch knew went with the
 * kind, of these nobody has said that they should.
 */
export async function refuseStranded(
  reads: Reads,
  origin: Schema,
  result: Schema,
  changes: readonly NodeChange[],
): Promise<void> {
  if (origin === result) return;
  const look = new Look(reads, origin, result, []);
  const ended = new Set(changes.filter(({action}) => action === 'removed').map(({id}) => id));
  const stranded: {readonly kind: string; readonly id: NodeId}[] = [];
  for (const kind of look.leaving()) {
    if (concreteKindOf(origin, kind)?.branch !== 'aware') continue;
    for await (const {node} of look.objects(kind))
      if (!ended.has(node.id)) stranded.push({kind, id: node.id});
  }
  refuseObjects(stranded, 'the branch', 'Delete them on the origin, or load the kind on the branch again');
}

function refuseObjects(
  objects: readonly {readonly kind: string; readonly id: NodeId}[],
  remover: string,
  advice: string,
): void {
  if (objects.length === 0) return;
  const named = objects.slice(0, OBJECTS_NAMED_MAX).map(({kind, id}) => ({kind, id}));
  const more = objects.length - named.length;
  const list = named.map(({kind, id}) => `${kind} ${id}`).join(', ');
  throw constraintViolation(
    `Objects of a kind that ${remover} has removed stand in the way: ${list}${more > 0 ? ` and ${more} more` : ''}. ${advice}`,
    {objects: named, count: objects.length},
  );
}

/** The writes of a plan with the values that the survey of the side they come from has converted. */
export function convertedWrites(
  writes: readonly MergeWrite[],
  survey: Survey | undefined,
): readonly MergeWrite[] {
  if (survey === undefined || survey.writes.length === 0) return writes;
  const converted = new Map(survey.writes.map(({id, attribute, write}) => [`${id} ${attribute}`, write]));
  return writes.map(item => {
    if (item.is !== 'create' && item.is !== 'update') return item;
    const attributes: Record<string, AttributeWrite> = {};
    for (const [name, write] of Object.entries(item.attributes)) {
      const value = converted.get(`${item.id} ${name}`)?.value;
      attributes[name] = value === undefined || !('value' in write) ? write : {...write, value};
    }
    return {...item, attributes};
  });
}
