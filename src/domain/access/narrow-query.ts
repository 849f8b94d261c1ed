import {permissionDenied} from '../errors.ts';
import type {Condition, NodeQuery, Order} from '../query/node-query.ts';
import {attributeOf, concreteKindOf, implementations, kindOf, relationshipOf} from '../schema/lookup.ts';
import type {Schema} from '../schema/schema.ts';
import type {View} from './view.ts';

type Question = Pick<NodeQuery, 'where' | 'order'>;

/**
 * The question, asked of what may be seen alone: objects of hidden kinds are neither found nor counted, and nothing
 * hidden decides what is found or in which order. Refused when it could only be answered from what is hidden.
 */
export function narrowQuery(view: View, schema: Schema, kind: string, question: Question): Question {
  if (view.isWhole) return question;
  const {where, order} = question;
  const found = all(kindsShown(view, schema, kind), where && narrow(view, schema, kind, where));
  const sorted = order === undefined ? ownOrder(view, schema, kind) : order;
  for (const each of order ?? []) requireOrder(view, schema, kind, each);
  return {...(found === undefined ? {} : {where: found}), ...(sorted === undefined ? {} : {order: sorted})};
}

/** Refused: there is nothing of the kind that may be seen. */
export function requireShown(view: View, schema: Schema, kind: string): void {
  if (view.isWhole) return;
  const kinds = implementations(schema, kind);
  if (kinds.length === 0 || kinds.some(each => view.shows(each))) return;
  throw permissionDenied(`You are not allowed to view objects of the kind ${kind}`, {action: 'view', kind});
}

function kindsShown(view: View, schema: Schema, kind: string): Condition | undefined {
  requireShown(view, schema, kind);
  const hidden = implementations(schema, kind).filter(each => !view.shows(each));
  return hidden.length === 0 ? undefined : {is: 'not', of: {is: 'kind', in: hidden}};
}

function all(...parts: readonly (Condition | undefined)[]): Condition | undefined {
  const of = parts.filter(part => part !== undefined);
  return of.length < 2 ? of[0] : {is: 'all', of};
}

function narrow(view: View, schema: Schema, kind: string, condition: Condition): Condition {
  switch (condition.is) {
    case 'all':
    case 'any':
      return {...condition, of: condition.of.map(each => narrow(view, schema, kind, each))};
    case 'not':
      return {...condition, of: narrow(view, schema, kind, condition.of)};
    case 'attribute':
      return withAttribute(view, schema, kind, condition.attribute, condition);
    case 'metadata':
      if (condition.attribute !== '*') {
        return withAttribute(view, schema, kind, condition.attribute, condition);
      }
      return ofEach(view, schema, kind, attribute => ({...condition, attribute}), condition);
    case 'anyAttribute': {
      const {test} = condition;
      return ofEach(
        view,
        schema,
        kind,
        attribute => ({is: 'attribute', attribute, property: 'value', test}),
        condition,
      );
    }
    case 'related': {
      const peer = peerOf(schema, kind, condition.relationship);
      const inner = condition.where && narrow(view, schema, peer, condition.where);
      const where = all(kindsShown(view, schema, peer), inner);
      return where === undefined ? condition : {...condition, where};
    }
    case 'node':
      return condition.field === 'updatedAt' ? ofWholeKinds(view, schema, kind, condition) : condition;
    default:
      return condition;
  }
}

/** When an object last changed is not told where that may have been a change of something hidden. */
function ofWholeKinds(view: View, schema: Schema, kind: string, condition: Condition): Condition {
  const kinds = implementations(schema, kind);
  const hiding = kinds.filter(each => view.hidesSome(each));
  if (hiding.length === 0) return condition;
  if (hiding.length === kinds.length) throw attributeHidden(kind, 'updated_at');
  return {is: 'all', of: [{is: 'not', of: {is: 'kind', in: hiding}}, condition]};
}

const hidesAttribute = (view: View, kinds: readonly string[], attribute: string) =>
  kinds.filter(kind => !view.showsAttribute(kind, attribute));

/** What is said of an attribute is said of those objects only that show it. */
function withAttribute(
  view: View,
  schema: Schema,
  kind: string,
  attribute: string,
  condition: Condition,
): Condition {
  const kinds = implementations(schema, kind);
  const hiding = hidesAttribute(view, kinds, attribute).filter(each => hasAttribute(schema, each, attribute));
  if (hiding.length === 0) return condition;
  if (hiding.length === kinds.length) throw attributeHidden(kind, attribute);
  return {is: 'all', of: [{is: 'not', of: {is: 'kind', in: hiding}}, condition]};
}

/** What is said of any attribute, said of each that is shown; kind by kind where some is hidden. */
function ofEach(
  view: View,
  schema: Schema,
  kind: string,
  on: (attribute: string) => Condition,
  whole: Condition,
): Condition {
  const kinds = implementations(schema, kind).filter(each => view.shows(each));
  const hiding = kinds.filter(each =>
    concreteKindOf(schema, each)?.attributes.some(({name}) => !view.showsAttribute(each, name)),
  );
  if (hiding.length === 0) return whole;
  const parts: Condition[] = hiding.map(each => {
    const shown = (concreteKindOf(schema, each)?.attributes ?? []).filter(
      attribute => view.showsAttribute(each, attribute.name) && !SECRET.has(attribute.kind),
    );
    const any: Condition = {is: 'any', of: shown.map(({name}) => on(name))};
    return {is: 'all', of: [{is: 'kind', in: [each]}, any]};
  });
  return {is: 'any', of: [...parts, {is: 'all', of: [{is: 'not', of: {is: 'kind', in: hiding}}, whole]}]};
}

const SECRET: ReadonlySet<string> = new Set(['HashedPassword', 'Password']);

const hasAttribute = (schema: Schema, kindName: string, attribute: string): boolean => {
  const kind = kindOf(schema, kindName);
  return kind !== undefined && attributeOf(kind, attribute) !== undefined;
};

function peerOf(schema: Schema, kindName: string, relationship: string): string {
  const kind = kindOf(schema, kindName);
  const own = kind === undefined ? undefined : relationshipOf(kind, relationship);
  return own?.hierarchical ?? own?.peer ?? 'CoreNode';
}

/** The kind's own order tells the values it sorts by: where one is hidden, the order of creation takes its place. */
function ownOrder(view: View, schema: Schema, kindName: string): readonly Order[] | undefined {
  const isTold = implementations(schema, kindName).every(each =>
    (concreteKindOf(schema, each)?.order_by ?? []).every(path => showsOrder(view, schema, each, path)),
  );
  return isTold ? undefined : [{by: 'createdAt', descending: false}];
}

function showsOrder(view: View, schema: Schema, kindName: string, path: string): boolean {
  const [first = '', second = ''] = path.split('__');
  const kind = kindOf(schema, kindName);
  const field = kind?.fields.get(first);
  if (field?.is !== 'relationship') return view.showsAttribute(kindName, first);
  return implementations(schema, field.peer).every(
    peer => view.shows(peer) && view.showsAttribute(peer, second),
  );
}

function requireOrder(view: View, schema: Schema, kindName: string, order: Order): void {
  if (order.by === 'updatedAt' && implementations(schema, kindName).some(kind => view.hidesSome(kind))) {
    throw attributeHidden(kindName, 'updated_at');
  }
  if (order.by !== 'attribute') return;
  const {relationship, attribute} = order.path;
  const subject = relationship === undefined ? kindName : peerOf(schema, kindName, relationship);
  const kinds = implementations(schema, subject);
  if (relationship !== undefined && kinds.some(kind => !view.shows(kind))) {
    throw permissionDenied(`You are not allowed to view objects of the kind ${subject}`, {
      action: 'view',
      kind: subject,
    });
  }
  if (hidesAttribute(view, kinds, attribute).length > 0) throw attributeHidden(subject, attribute);
}

const attributeHidden = (kind: string, attribute: string) =>
  permissionDenied(`You are not allowed to view ${attribute} of ${kind}`, {action: 'view', kind, attribute});
