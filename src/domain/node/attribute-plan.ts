import {assert} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import {sameJson} from '../../base/json.ts';
import {checkValue} from '../attribute/check-value.ts';
import type {AttributeState, AttributeWrite, AttributeWrites, NodeRecord} from '../graph/node.ts';
import type {NodeId} from '../graph/node-id.ts';
import type {AttributeSchema, ConcreteSchema} from '../schema/schema.ts';
import type {FieldProblem} from './field-problem.ts';
import {mandatoryProblem} from './field-problem.ts';
import {isPasswordHash} from './password-hash.ts';
import {profiledAttributes, profiledValue} from './profile-values.ts';
import {labelFromName} from './title-case.ts';

/** What a caller wants of an attribute, its lineage resolved. */
export interface AttributeWish {
  readonly value?: Json;
  readonly isDefault?: boolean;
  readonly isProtected?: boolean;
  readonly isVisible?: boolean;
  readonly source?: NodeId | null;
  readonly owner?: NodeId | null;
}

export type AttributeWishes = Readonly<Record<string, AttributeWish>>;

export interface AttributePlan {
  readonly writes: AttributeWrites;
  readonly problems: readonly FieldProblem[];
}

/** The attributes of a new object. Profiles come in the order of `byPriority`. */
export function planCreate(
  kind: ConcreteSchema,
  wishes: AttributeWishes,
  profiles: readonly NodeRecord[],
): AttributePlan {
  const writes: Record<string, AttributeWrite> = {};
  const problems = refusedNames(kind, wishes);
  const refused = new Set(problems.map(({field}) => field));
  for (const attribute of kind.attributes) {
    const {name} = attribute;
    if (refused.has(name)) continue;
    const outcome = firstValue(kind, attribute, wishes[name] ?? {}, profiles);
    if ('problems' in outcome) problems.push(...outcome.problems);
    else writes[name] = withFlags(outcome, wishes[name]);
  }
  labelByName(kind, writes);
  return {writes, problems};
}

/** What an update writes: only what the object does not have yet. Profiles come in the order of `byPriority`. */
export function planUpdate(
  kind: ConcreteSchema,
  node: NodeRecord,
  wishes: AttributeWishes,
  profiles: readonly NodeRecord[],
  isTemplate: (source: NodeId) => boolean,
): AttributePlan {
  const writes: Record<string, AttributeWrite> = {};
  const problems = refusedNames(kind, wishes);
  const refused = new Set(problems.map(({field}) => field));
  for (const [name, wish] of Object.entries(wishes)) {
    const attribute = kind.fields.get(name);
    const state = node.attribute(name);
    if (refused.has(name) || attribute?.is !== 'attribute' || state === undefined) continue;
    const outcome = nextValue(kind, attribute, state, wish, profiles, isTemplate);
    if ('problems' in outcome) {
      problems.push(...outcome.problems);
      continue;
    }
    const write = withFlags(outcome, wish);
    if (changes(state, write)) writes[name] = write;
  }
  return {writes, problems};
}

/** Whether a write says anything that is not so already. */
export function changes(state: AttributeState, write: AttributeWrite): boolean {
  return Object.entries(write).some(([part, next]) => {
    if (next === undefined) return false;
    const before = state[part as keyof AttributeWrite];
    return !sameJson(before, next as Json);
  });
}

/** The value of an attribute that nobody sets: a profile's, else the schema's default, else none. */
export function unchosenValue(
  kind: ConcreteSchema,
  attribute: AttributeSchema,
  profiles: readonly NodeRecord[],
): AttributeWrite | {readonly problems: readonly FieldProblem[]} {
  const profiled = profiledAttributes(kind).has(attribute)
    ? profiledValue(profiles, attribute.name)
    : undefined;
  if (profiled !== undefined) {
    const checked = checkedValue(kind, attribute, profiled.value);
    if ('problems' in checked) return checked;
    return {value: checked.value, isDefault: true, isFromProfile: true, source: profiled.profile};
  }
  const value = defaultOf(attribute);
  if (value === null && isNeeded(attribute)) {
    return {problems: [mandatoryProblem(kind.kind, attribute.name)]};
  }
  return {value, isDefault: true, isFromProfile: false};
}

function refusedNames(kind: ConcreteSchema, wishes: AttributeWishes): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const name of Object.keys(wishes)) {
    const field = kind.fields.get(name);
    if (field === undefined) {
      problems.push({field: name, message: `${name} is not a field of ${kind.kind}`});
    } else if (field.is === 'relationship') {
      problems.push({field: name, message: `${name} is a relationship of ${kind.kind}, not an attribute`});
    } else if (field.read_only) {
      problems.push({field: name, message: `${name} is read-only on ${kind.kind}`});
    }
  }
  return problems;
}

type Outcome = AttributeWrite | {readonly problems: readonly FieldProblem[]};

function firstValue(
  kind: ConcreteSchema,
  attribute: AttributeSchema,
  wish: AttributeWish,
  profiles: readonly NodeRecord[],
): Outcome {
  if (attribute.kind === 'NumberPool') {
    const message = `${attribute.name} takes its number from a pool, and number pools are not available; no ${kind.kind} can be created`;
    return {problems: [{field: attribute.name, message}]};
  }
  if (wish.value === undefined) return unchosenValue(kind, attribute, profiles);
  const checked = checkedValue(kind, attribute, wish.value);
  return 'problems' in checked ? checked : {value: checked.value, isDefault: false};
}

function nextValue(
  kind: ConcreteSchema,
  attribute: AttributeSchema,
  state: AttributeState,
  wish: AttributeWish,
  profiles: readonly NodeRecord[],
  isTemplate: (source: NodeId) => boolean,
): Outcome {
  if (wish.value === undefined) {
    if (wish.isDefault !== true || state.isDefault) return {};
    const reset = unchosenValue(kind, attribute, profiles);
    return 'problems' in reset ? reset : {source: null, ...reset};
  }
  const checked = checkedValue(kind, attribute, wish.value);
  if ('problems' in checked) return checked;
  // An object sent back as it was read must not turn every default into a choice.
  if (sameJson(checked.value, state.value) && wish.isDefault !== false) return {};
  const isForeign = state.isFromProfile || (state.source !== null && isTemplate(state.source));
  return {
    value: checked.value,
    isDefault: false,
    isFromProfile: false,
    ...(isForeign ? {source: null} : {}),
  };
}

function checkedValue(
  kind: ConcreteSchema,
  attribute: AttributeSchema,
  value: Json,
): {readonly value: Json} | {readonly problems: readonly FieldProblem[]} {
  const {name} = attribute;
  if (value === null && isNeeded(attribute)) return {problems: [mandatoryProblem(kind.kind, name)]};
  // A password was judged as plain text, before it was hashed.
  const isHashed = attribute.kind === 'HashedPassword';
  const checked = checkValue(isHashed ? {name, kind: 'HashedPassword', optional: true} : attribute, value);
  if (!checked.ok) return {problems: checked.problems.map(message => ({field: name, message}))};
  if (isHashed && typeof checked.value === 'string') {
    assert(isPasswordHash(checked.value), `the password ${name} was not hashed before the write`);
  }
  return {value: checked.value};
}

/** A mandatory attribute that callers must supply; what is read-only the service fills in. */
const isNeeded = ({optional, read_only}: AttributeSchema): boolean => !optional && !read_only;

/** A default password is worth nothing as plain text, and is never stored as such. */
function defaultOf({kind, default_value}: AttributeSchema): Json {
  if (kind !== 'HashedPassword') return default_value;
  return typeof default_value === 'string' && isPasswordHash(default_value) ? default_value : null;
}

function withFlags(write: AttributeWrite, wish: AttributeWish | undefined): AttributeWrite {
  const {isProtected, isVisible, source, owner} = wish ?? {};
  if (isProtected === undefined && isVisible === undefined && source === undefined && owner === undefined) {
    return write;
  }
  return {
    ...write,
    ...(isProtected === undefined ? {} : {isProtected}),
    ...(isVisible === undefined ? {} : {isVisible}),
    ...(source === undefined ? {} : {source}),
    ...(owner === undefined ? {} : {owner}),
  };
}

function labelByName(kind: ConcreteSchema, writes: Record<string, AttributeWrite>): void {
  if (kind.type !== 'node') return;
  const [label, name] = [kind.fields.get('label'), kind.fields.get('name')];
  if (label?.is !== 'attribute' || label.kind !== 'Text' || label.read_only) return;
  if (name?.is !== 'attribute' || name.kind !== 'Text') return;
  const {label: labelWrite, name: nameWrite} = writes;
  const isEmpty = labelWrite !== undefined && (labelWrite.value === null || labelWrite.value === '');
  if (!isEmpty || typeof nameWrite?.value !== 'string' || nameWrite.value === '') return;
  const value = labelFromName(nameWrite.value);
  if (checkValue(label, value).ok) writes.label = {...labelWrite, value, isDefault: false};
}
