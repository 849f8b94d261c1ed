import {attribute, chosen, kindRecord, relationship, uniqueOn} from '../../src/ports/graph-store-fixtures.ts';
import type {DataSet, Step} from './data-set.ts';
import {idOf, isValue, nameOf, ROLES, STATUSES, sentence} from './data-set.ts';
import {pick, scatter} from './scatter.ts';

const KINDS = 10;
const CHILDREN = 10;
const indexed = {indexed: true} as const;

const kindName = (place: number): string => `BenchKind${place}`;

const kinds = Array.from({length: KINDS}, (_, place) => {
  const owner = `item${place}`;
  return kindRecord({
    name: kindName(place),
    generics: ['CoreNode', 'BenchItem'],
    attributes: [
      attribute(owner, 'name', 'Text', indexed),
      attribute(owner, 'role', 'Dropdown', indexed),
      attribute(owner, 'status', 'Dropdown', indexed),
      attribute(owner, 'height', 'Number'),
      attribute(owner, 'address', 'IPHost'),
      attribute(owner, 'serial', 'Text'),
      attribute(owner, 'description', 'Text'),
      attribute(owner, 'enabled', 'Boolean'),
    ],
    relationships: [
      relationship('parent', 'item__parent', 'BenchItem', {cardinality: 'one', direction: 'outbound'}),
      relationship('children', 'item__parent', 'BenchItem', {direction: 'inbound'}),
      relationship('links', 'item__link', 'BenchItem'),
    ],
    orderBy: ['name'],
    unique: [uniqueOn(`${owner}-name`, 'name')],
  });
});

function step(index: number, size: number): Step {
  const id = idOf(index);
  const edges = targetsOf(index, size).map((target, place) => ({
    node: id,
    relationship: place === 0 ? 'parent' : 'links',
    peer: idOf(target),
  }));
  const host = scatter(index, 10);
  return {
    node: {
      id,
      kind: kindName(index % KINDS),
      attributes: chosen({
        name: nameOf(index),
        role: pick(ROLES, index, 11),
        status: pick(STATUSES, index, 12),
        height: scatter(index, 13) % 48,
        address: `10.${(host >>> 16) & 255}.${(host >>> 8) & 255}.${host & 255}/24`,
        serial: `SN${scatter(index, 14).toString(36).toUpperCase()}`,
        description: sentence(index, 15),
        enabled: scatter(index, 16) % 4 > 0,
      }),
    },
    edges,
  };
}

/** The parent in a tree where every inner object has ten children, one of each kind; and two others. */
function targetsOf(index: number, size: number): readonly number[] {
  if (index < 3) return index === 0 ? [] : [0];
  const parent = index < size ? Math.floor((index - 1) / CHILDREN) : scatter(index, 17) % size;
  const reach = Math.min(index, size);
  const first = scatter(index, 18) % reach;
  const second = scatter(index, 19) % reach;
  return [parent, first, second === first ? (first + 1) % reach : second];
}

const lists = ROLES.flatMap(role =>
  kinds.map(({shape}) => ({
    kind: shape.name,
    where: isValue('role', role),
    page: {limit: 50, offset: 0},
  })),
);

/** The set that the layout was chosen with: ten like kinds of N / 10 objects, 8 attributes and 3 edges each. */
export const layoutSet: DataSet = {
  name: 'layout',
  description:
    'N objects of ten like kinds, each with 8 attributes (3 indexed, 1 unique) and 3 edges (its parent in a ten-way tree, two anywhere)',
  kinds,
  counted: kindName(3),
  lists,
  nested: lists.map(list => ({
    ...list,
    include: [
      {relationship: 'parent', include: [{relationship: 'children', page: {limit: CHILDREN, offset: 0}}]},
    ],
  })),
  nestedPath: [
    [kindName(0), 'parent'],
    [kindName(0), 'children'],
  ],
  step,
  extra: (serial, size) => step(size + serial, size),
  leaf: (serial, size) => Math.floor(size / CHILDREN) + 1 + (scatter(serial, 20) % Math.floor(size / 2)),
};
