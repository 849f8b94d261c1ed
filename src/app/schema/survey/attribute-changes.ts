import {type Json, sameJson} from '../../../base/json.ts';
import {type AttributeRules, checkValue} from '../../../domain/attribute/check-value.ts';
import {convertValue} from '../../../domain/attribute/convert-value.ts';
import type {AttributeKind} from '../../../domain/attribute/kinds.ts';
import type {NodeRecord} from '../../../domain/graph/node.ts';
import type {Condition} from '../../../domain/query/node-query.ts';
import type {SchemaChange} from '../../../domain/schema/classify/changes.ts';
import type {AttributeSchema, ConcreteSchema} from '../../../domain/schema/schema.ts';
import type {KindPair} from './look.ts';
import type {Survey} from './survey.ts';
import type {Constraint} from './violations.ts';

type Change<Is extends SchemaChange['is']> = Extract<SchemaChange, {is: Is}>;

const pathOf = (pair: KindPair, attribute: AttributeSchema, property?: string): string =>
  ['schema', pair.after.kind, attribute.name, ...(property === undefined ? [] : [property])].join('/');

export async function surveyAddedAttribute(
  survey: Survey,
  pair: KindPair,
  {attribute, needsValue, constraint}: Change<'attribute-added'>,
): Promise<void> {
  if (!needsValue) return;
  await survey.refuseWhere(pair.before.kind, undefined, {
    name: constraint,
    path: pathOf(pair, attribute),
  });
}

export async function surveyMandatoryAttribute(
  survey: Survey,
  pair: KindPair,
  {attribute, constraint}: Change<'attribute-made-mandatory'>,
): Promise<void> {
  const now = survey.look.attributeNow(pair, attribute);
  if (now === undefined) return;
  const isNull: Condition = {is: 'attribute', attribute: now.name, property: 'value', test: {op: 'isNull'}};
  await survey.refuseWhere(pair.before.kind, isNull, {
    name: constraint,
    path: pathOf(pair, attribute, 'optional'),
  });
}

/** A list that lost members needs a look at those who have one of them; any other rule, at every value. */
export async function surveyTightenedAttribute(
  survey: Survey,
  pair: KindPair,
  {attribute, property, constraint: name}: Change<'attribute-tightened'>,
): Promise<void> {
  const now = survey.look.attributeNow(pair, attribute);
  // A new kind is checked with all rules at once.
  if (now === undefined || now.kind !== attribute.kind) return;
  const constraint: Constraint = {name, path: pathOf(pair, attribute, property)};
  const lost = lostMembers(now, attribute, property);
  if (lost !== undefined) {
    const test = {op: 'in', values: lost} as const;
    const where: Condition = {is: 'attribute', attribute: now.name, property: 'value', test};
    await survey.refuseWhere(pair.before.kind, where, constraint);
    return;
  }
  const rules = rulesFor(attribute, property);
  survey.visit(pair, ({node}) => {
    const value = node.value(now.name);
    if (value !== null && !checkValue(rules, value).ok) survey.refuse(constraint, node);
  });
}

function lostMembers(
  before: AttributeSchema,
  after: AttributeSchema,
  property: string,
): readonly Json[] | undefined {
  if (property !== 'enum' && property !== 'choices') return undefined;
  const membersOf = (attribute: AttributeSchema): readonly Json[] | null =>
    property === 'enum' ? attribute.enum : (attribute.choices?.map(choice => choice.name) ?? null);
  const [had, has] = [membersOf(before), membersOf(after)];
  if (had === null || has === null) return undefined;
  const stored = (member: Json): Json => {
    const {name, kind} = after;
    const checked = checkValue({name, kind: kind === 'Dropdown' ? 'Text' : kind, optional: true}, member);
    return checked.ok ? checked.value : member;
  };
  const kept = has.map(stored);
  return had.map(stored).filter(member => !kept.some(each => sameJson(each, member)));
}

/** The one rule that changed, so that an object is named for what it breaks and nothing else. */
function rulesFor(attribute: AttributeSchema, property: string): AttributeRules {
  const {name, kind, parameters} = attribute;
  if (property === 'enum') return {name, kind, optional: true, enum: attribute.enum};
  if (property === 'choices') return {name, kind, optional: true, choices: attribute.choices};
  if (kind === 'NumberPool') return {name, kind, optional: true, parameters};
  const value = parameters[property as keyof typeof parameters];
  return {
    name,
    kind: kind === 'Dropdown' ? 'Text' : kind,
    optional: true,
    parameters: {[property]: value},
  };
}

/** Kinds whose values have keys of their own in indexes and orders. */
const KEYED_APART: ReadonlySet<AttributeKind> = new Set(['DateTime', 'IPHost', 'IPNetwork']);

/** Each value becomes one of the new kind, if that can be and if it meets the rules that hold from now on. */
export function surveyChangedKind(
  survey: Survey,
  pair: KindPair,
  {attribute, from, constraint: name}: Change<'attribute-kind-changed'>,
): void {
  const {look} = survey;
  const now = look.attributeNow(pair, attribute);
  if (now === undefined) return;
  const constraint: Constraint = {name, path: pathOf(pair, attribute, 'kind')};
  const rules = {...attribute, optional: true};
  const isApart = KEYED_APART.has(from) || KEYED_APART.has(attribute.kind);
  const lateKey = isKeyed(pair, now, attribute) ? lateValue(pair, now) : undefined;
  const isShared = pair.before.branch === 'agnostic' && !survey.onDefaultBranch;
  survey.visit(pair, ({node}) => {
    const value = node.value(now.name);
    if (value === null) return;
    const converted = look.valueThen(pair, attribute, node);
    if (converted === undefined || !checkValue(rules, converted).ok) {
      survey.refuse(constraint, node);
      return;
    }
    const isReleased = isApart || (lateKey !== undefined && sameJson(value, lateKey));
    if (now.id !== attribute.id || (!isReleased && sameJson(value, converted))) return;
    if (isShared) {
      survey.refuse(constraint, node);
      return;
    }
    if (isReleased) survey.releases.push({id: node.id, attribute: now.name});
    noteWrite(survey, attribute.name, now.name, node, converted);
  });
}

/** Whether objects are kept apart, or in order, by the attribute. */
function isKeyed({before, after}: KindPair, now: AttributeSchema, then: AttributeSchema): boolean {
  const names = (kind: ConcreteSchema) =>
    [...kind.uniqueness.flatMap(({paths}) => paths), ...(kind.order_by ?? [])].map(
      path => path.split('__')[0],
    );
  return names(before).includes(now.name) || names(after).includes(then.name);
}

/**
 * What objects show that were written before the attribute joined them. It changes with the kind and without a
 * write, so that a key made of it would stay behind.
 */
const lateValue = ({before}: KindPair, now: AttributeSchema): Json | undefined =>
  before.type === 'node' ? before.late.get(now.id) : undefined;

/**
 * What objects show of an attribute that joined after them is fixed for good, but two branches may have fixed it
 * differently. Where a merge decides for the other, such objects get what they show as a value of their own.
 */
export function surveyLateValues(survey: Survey): void {
  const {look} = survey;
  for (const after of look.after.nodes.values()) {
    const pair = look.pair(after.kind);
    if (pair?.before.type !== 'node') continue;
    for (const attribute of after.attributes) {
      const now = look.attributeNow(pair, attribute);
      const late = now === undefined ? undefined : lateValue(pair, now);
      if (now === undefined || late === undefined) continue;
      // A late value follows a change of kind by itself.
      const followed = convertValue(now.kind, attribute.kind, late);
      const then = after.late.get(attribute.id);
      if (then !== undefined && followed.ok && sameJson(followed.value, then)) continue;
      survey.visit(pair, ({node}) => {
        const value = look.valueThen(pair, attribute, node);
        if (value === undefined || node.attribute(now.name)?.isDefault !== true) return;
        survey.releases.push({id: node.id, attribute: now.name});
        noteWrite(survey, attribute.name, now.name, node, value);
      });
    }
  }
}

/** The values go from the attribute of one generic to that of another. */
export function surveyMovedAttribute(
  survey: Survey,
  pair: KindPair,
  {attribute, before}: Change<'attribute-moved'>,
): void {
  survey.visit(pair, ({node}) => {
    const value = survey.look.valueThen(pair, attribute, node);
    if (value !== undefined) noteWrite(survey, attribute.name, before.name, node, value);
  });
}

/** Who set a value, and how it is protected, goes along with it. */
function noteWrite(survey: Survey, attribute: string, from: string, node: NodeRecord, value: Json): void {
  const state = node.attribute(from);
  if (state === undefined) return;
  const {isDefault, isFromProfile, isProtected, isVisible, source, owner} = state;
  survey.writes.push({
    id: node.id,
    attribute,
    write: {value, isDefault, isFromProfile, isProtected, isVisible, source, owner},
  });
}
