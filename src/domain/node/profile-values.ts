import type {Json} from '../../base/json.ts';
import type {NodeRecord} from '../graph/node.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {AttributeSchema, ConcreteSchema} from '../schema/schema.ts';

export interface ProfiledValue {
  readonly value: Json;
  readonly profile: NodeId;
}

/** What a profile says about itself, never about the objects that use it. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['profile_name', 'profile_priority']);

const profiled = new WeakMap<ConcreteSchema, ReadonlySet<AttributeSchema>>();

/** The attributes that profiles may supply. */
export function profiledAttributes(kind: ConcreteSchema): ReadonlySet<AttributeSchema> {
  const known = profiled.get(kind) ?? new Set(kind.attributes.filter(isProfiled));
  profiled.set(kind, known);
  return known;
}

const isProfiled = ({name, read_only, unique}: AttributeSchema): boolean =>
  !read_only && !unique && !OWN_FIELDS.has(name);

/** Profiles as they are asked: lowest priority first, and of equal ones the lowest id. */
export function byPriority(profiles: readonly NodeRecord[]): readonly NodeRecord[] {
  return profiles.toSorted((a, b) => priorityOf(a) - priorityOf(b) || (a.id < b.id ? -1 : 1));
}

/** The value that profiles in the order of `byPriority` give to an attribute nobody set. */
export function profiledValue(profiles: readonly NodeRecord[], attribute: string): ProfiledValue | undefined {
  for (const profile of profiles) {
    const value = profile.value(attribute);
    if (value !== null) return {value, profile: profile.id};
  }
  return undefined;
}

function priorityOf(profile: NodeRecord): number {
  const priority = profile.value('profile_priority');
  return typeof priority === 'number' ? priority : Number.MAX_SAFE_INTEGER;
}
