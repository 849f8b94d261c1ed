import {must} from '../../base/assert.ts';
import type {AttributeShape, KindShape} from '../../domain/graph/shape.ts';
import type {Draft} from '../graph-store.ts';
import {
  DEVICE,
  INTERFACE,
  RACK,
  REGION,
  reshaped,
  SERVER,
  SITE,
  TAG,
  uniqueOn,
} from '../graph-store-fixtures.ts';
import {chosenFrom, someValue} from './values.ts';

const EDITABLE = [SITE, RACK, DEVICE, SERVER, INTERFACE, TAG, REGION];

type Edit = (shape: KindShape, detail: number, fresh: string) => Partial<KindShape> | undefined;

/** What a schema load does to a kind, one thing at a time. */
const EDITS: readonly Edit[] = [
  (shape, detail, fresh) => {
    const kind = detail % 3 === 0 ? 'Number' : 'Text';
    const name = `extra${detail % 4}`;
    if (shape.attributes.some(item => item.name === name)) return undefined;
    const added: AttributeShape = {
      id: `${shape.id}.${fresh}`,
      name,
      kind,
      scope: 'aware',
      indexed: detail % 2 === 0,
      late: someValue(kind, detail),
    };
    return {attributes: [...shape.attributes, added]};
  },
  (shape, detail) => {
    const renamed = must(chosenFrom(shape.attributes, detail), 'an attribute').name;
    const name = renamed.endsWith('_new') ? renamed.slice(0, -4) : `${renamed}_new`;
    if (shape.attributes.some(item => item.name === name)) return undefined;
    const swap = <T extends {readonly name: string}>(item: T): T =>
      item.name === renamed ? {...item, name} : item;
    return {
      attributes: shape.attributes.map(swap),
      orderBy: shape.orderBy.map(path => (path.attribute === renamed ? {...path, attribute: name} : path)),
      unique: shape.unique.map(unique => ({
        ...unique,
        parts: unique.parts.map(part => (part.is === 'attribute' ? swap(part) : part)),
      })),
    };
  },
  shape => ({name: shape.name.endsWith('New') ? shape.name.slice(0, -3) : `${shape.name}New`}),
  (shape, detail) => {
    const sortable = shape.attributes.filter(item => item.kind !== 'List' && item.kind !== 'JSON');
    const wanted = [detail, detail >> 3]
      .slice(0, detail % 3)
      .flatMap(pick => chosenFrom(sortable, pick) ?? []);
    return {orderBy: [...new Set(wanted)].map(item => ({attribute: item.name, property: 'value'}))};
  },
  (shape, detail) => {
    const attribute = chosenFrom(shape.attributes, detail);
    return {
      attributes: shape.attributes.map(item =>
        item === attribute ? {...item, indexed: !item.indexed} : item,
      ),
    };
  },
  shape => ({unique: shape.unique.slice(1)}),
  (shape, detail) => {
    const attribute = must(chosenFrom(shape.attributes, detail), 'an attribute');
    const id = `${shape.id} ${attribute.id}`;
    if (shape.unique.some(unique => unique.id === id)) return undefined;
    return {unique: [...shape.unique, uniqueOn(id, attribute.name)]};
  },
  (shape, detail) => {
    if (shape.attributes.length === 1) return undefined;
    const gone = must(chosenFrom(shape.attributes, detail), 'an attribute').name;
    return {
      attributes: shape.attributes.filter(item => item.name !== gone),
      orderBy: shape.orderBy.filter(path => path.attribute !== gone),
      unique: shape.unique.filter(
        unique => !unique.parts.some(part => part.is === 'attribute' && part.name === gone),
      ),
    };
  },
  shape => ({
    generics: shape.generics.includes('TestExtra')
      ? shape.generics.filter(name => name !== 'TestExtra')
      : [...shape.generics, 'TestExtra'],
  }),
];

export async function reshape(
  draft: Draft,
  kind: number,
  edit: number,
  detail: number,
  fresh: string,
): Promise<void> {
  const original = must(chosenFrom(EDITABLE, kind), 'a kind');
  const {id} = original.shape;
  const current = draft.kinds().find(record => record.shape.id === id);
  if (current === undefined) {
    const isReplaced = draft.kind(original.shape.name) !== undefined;
    return isReplaced ? undefined : draft.putKind(reshaped(original, {id: `${id} ${fresh}`}));
  }
  const change = EDITS[edit % (EDITS.length + 1)];
  if (change === undefined) return draft.dropKind(id);
  const changed = change(current.shape, detail, fresh);
  if (changed === undefined) return;
  await draft.putKind(reshaped(current, changed));
  if (changed.name !== undefined) await renamePeers(draft, current.shape.name, changed.name);
}

/** Relationships follow the new name of their peer. */
async function renamePeers(draft: Draft, before: string, after: string): Promise<void> {
  for (const record of draft.kinds()) {
    const {relationships} = record.shape;
    if (relationships.every(item => item.peer !== before)) continue;
    const renamed = relationships.map(item => (item.peer === before ? {...item, peer: after} : item));
    await draft.putKind(reshaped(record, {relationships: renamed}));
  }
}
