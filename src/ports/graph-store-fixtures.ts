import type {Json} from '../base/json.ts';
import type {AttributeKind} from '../domain/attribute/kinds.ts';
import type {BranchName} from '../domain/branch/branch.ts';
import type {AttributeWrites} from '../domain/graph/node.ts';
import type {NodeId} from '../domain/graph/node-id.ts';
import type {
  AttributeShape,
  KindShape,
  RelationshipShape,
  UniquePart,
  UniqueShape,
} from '../domain/graph/shape.ts';
import type {Instant} from '../domain/time/instant.ts';
import type {Clock} from './clock.ts';
import type {Author, GraphStore, KindRecord} from './graph-store.ts';

export const MAIN = 'main' as BranchName;
export const SERVICE: Author = {account: null};

/** Each look at it is a millisecond later, so between any two commits there is room for an instant. */
export class TickingClock implements Clock {
  micros = Date.UTC(2026, 0, 1) * 1000;
  stepMicros = 1000;

  nowMicros(): number {
    this.micros += this.stepMicros;
    return this.micros;
  }
}

let lastId = 0;

export function freshId(): NodeId {
  lastId++;
  return numberedId(lastId);
}

export const numberedId = (number: number): NodeId =>
  `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}` as NodeId;

export const branchName = (name: string): BranchName => name as BranchName;

export const justBefore = (instant: Instant): Instant => (instant - 1) as Instant;

/** Writes of values that somebody chose. */
export function chosen(values: Readonly<Record<string, Json>>): AttributeWrites {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, {value, isDefault: false}] as const),
  );
}

interface KindDraft extends Partial<Omit<KindShape, 'attributes' | 'relationships' | 'orderBy'>> {
  readonly name: string;
  readonly attributes: readonly AttributeShape[];
  readonly relationships?: readonly RelationshipShape[];
  readonly orderBy?: readonly string[];
}

export function kindRecord(draft: KindDraft): KindRecord {
  const shape: KindShape = {
    id: draft.id ?? `id-of-${draft.name}`,
    name: draft.name,
    generics: draft.generics ?? ['CoreNode'],
    scope: draft.scope ?? 'aware',
    attributes: draft.attributes,
    relationships: draft.relationships ?? [],
    orderBy: (draft.orderBy ?? []).map(attribute => ({attribute, property: 'value'})),
    unique: draft.unique ?? [],
  };
  return defined(shape);
}

/** The same kind, its shape changed; the definition follows, as a schema load would have it. */
export const reshaped = (record: KindRecord, change: Partial<KindShape>): KindRecord =>
  defined({...record.shape, ...change});

const defined = (shape: KindShape): KindRecord => ({
  shape,
  definition: {kind: shape.name, text: JSON.stringify(shape)},
});

export function attribute(
  owner: string,
  name: string,
  kind: AttributeKind,
  more: Partial<AttributeShape> = {},
): AttributeShape {
  return {id: `${owner}.${name}`, name, kind, scope: 'aware', indexed: false, ...more};
}

export function relationship(
  name: string,
  identifier: string,
  peer: string,
  more: Partial<RelationshipShape> = {},
): RelationshipShape {
  return {
    name,
    identifier,
    peer,
    direction: 'bidirectional',
    cardinality: 'many',
    scope: 'aware',
    ...more,
  };
}

export const uniqueOn = (id: string, ...parts: readonly string[]): UniqueShape => ({
  id,
  parts: parts.map(
    (part): UniquePart =>
      part.startsWith('~')
        ? {is: 'relationship', name: part.slice(1)}
        : {is: 'attribute', name: part, property: 'value'},
  ),
});

const one = {cardinality: 'one'} as const;
const indexed = {indexed: true} as const;

export const SITE = kindRecord({
  name: 'TestSite',
  generics: ['CoreNode', 'TestPlace'],
  attributes: [
    attribute('site', 'name', 'Text', indexed),
    attribute('site', 'city', 'Text'),
    attribute('site', 'population', 'Number', indexed),
    attribute('site', 'contacts', 'List'),
    attribute('site', 'facts', 'JSON'),
  ],
  relationships: [
    relationship('region', 'region__site', 'TestRegion', one),
    relationship('racks', 'rack__site', 'TestRack'),
    relationship('devices', 'device__site', 'TestDevice', {direction: 'inbound'}),
  ],
  orderBy: ['name'],
  unique: [uniqueOn('site-name', 'name')],
});

export const RACK = kindRecord({
  name: 'TestRack',
  attributes: [attribute('rack', 'name', 'Text', indexed), attribute('rack', 'height', 'Number', indexed)],
  relationships: [
    relationship('site', 'rack__site', 'TestSite', one),
    relationship('devices', 'device__rack', 'TestDevice'),
  ],
  orderBy: ['height', 'name'],
  unique: [uniqueOn('rack-site-name', '~site', 'name')],
});

export const DEVICE = kindRecord({
  name: 'TestDevice',
  generics: ['CoreNode', 'TestAsset'],
  attributes: [
    attribute('device', 'name', 'Text', indexed),
    attribute('device', 'role', 'Dropdown', indexed),
    attribute('device', 'status', 'Text'),
    attribute('device', 'position', 'Number', indexed),
    attribute('device', 'weight', 'Number'),
    attribute('device', 'address', 'IPHost', indexed),
    attribute('device', 'installed', 'DateTime', indexed),
    attribute('device', 'enabled', 'Boolean'),
    attribute('device', 'asset_tag', 'Text'),
  ],
  relationships: [
    relationship('site', 'device__site', 'TestSite', {...one, direction: 'outbound'}),
    relationship('rack', 'device__rack', 'TestRack', one),
    relationship('interfaces', 'device__interface', 'TestEndpoint'),
    relationship('tags', 'asset__tag', 'TestTag'),
    relationship('uplinks', 'device__uplink', 'TestDevice', {direction: 'outbound'}),
    relationship('downlinks', 'device__uplink', 'TestDevice', {direction: 'inbound'}),
    relationship('twins', 'device__twin', 'TestDevice'),
    relationship('keeper', 'device__keeper', 'TestAccount', one),
    relationship('artifacts', 'artifact__device', 'TestArtifact', {scope: 'local'}),
  ],
  orderBy: ['name'],
  unique: [uniqueOn('device-name', 'name'), uniqueOn('asset-tag', 'asset_tag')],
});

export const SERVER = kindRecord({
  name: 'TestServer',
  generics: ['CoreNode', 'TestAsset'],
  attributes: [
    attribute('server', 'name', 'Text', indexed),
    attribute('server', 'cores', 'Number'),
    attribute('server', 'asset_tag', 'Text'),
  ],
  relationships: [relationship('tags', 'asset__tag', 'TestTag')],
  orderBy: ['name'],
  unique: [uniqueOn('asset-tag', 'asset_tag')],
});

export const INTERFACE = kindRecord({
  name: 'TestInterface',
  generics: ['CoreNode', 'TestEndpoint'],
  attributes: [attribute('interface', 'name', 'Text', indexed), attribute('interface', 'speed', 'Number')],
  relationships: [
    relationship('device', 'device__interface', 'TestDevice', one),
    relationship('cable', 'cable__endpoint', 'TestCable', one),
  ],
  orderBy: ['name'],
  unique: [uniqueOn('endpoint-device-name', '~device', 'name')],
});

export const CONSOLE = kindRecord({
  name: 'TestConsole',
  generics: ['CoreNode', 'TestEndpoint'],
  attributes: [attribute('console', 'name', 'Text')],
  relationships: [
    relationship('device', 'device__interface', 'TestDevice', one),
    relationship('cable', 'cable__endpoint', 'TestCable', one),
  ],
  orderBy: ['name'],
  unique: [uniqueOn('endpoint-device-name', '~device', 'name')],
});

export const CABLE = kindRecord({
  name: 'TestCable',
  attributes: [
    attribute('cable', 'label', 'Text'),
    attribute('cable', 'color', 'Color'),
    attribute('cable', 'stock', 'Number', {scope: 'agnostic'}),
    attribute('cable', 'seen', 'Text', {scope: 'local'}),
  ],
  relationships: [relationship('endpoints', 'cable__endpoint', 'TestEndpoint')],
});

export const TAG = kindRecord({
  name: 'TestTag',
  attributes: [attribute('tag', 'name', 'Text', indexed)],
  relationships: [relationship('assets', 'asset__tag', 'TestAsset')],
  orderBy: ['name'],
  unique: [uniqueOn('tag-name', 'name')],
});

/** Tags with an attribute that those made before it lack. */
export const LATE_COLOR = reshaped(TAG, {
  attributes: [...TAG.shape.attributes, attribute('tag', 'color', 'Text', {late: 'grey', indexed: true})],
});

export const REGION = kindRecord({
  name: 'TestRegion',
  generics: ['CoreNode', 'TestPlace'],
  attributes: [attribute('region', 'name', 'Text', indexed)],
  relationships: [
    relationship('parent', 'parent__child', 'TestRegion', {...one, direction: 'outbound'}),
    relationship('children', 'parent__child', 'TestRegion', {direction: 'inbound'}),
    relationship('sites', 'region__site', 'TestSite'),
  ],
  orderBy: ['name'],
});

export const ACCOUNT = kindRecord({
  name: 'TestAccount',
  scope: 'agnostic',
  attributes: [
    attribute('account', 'name', 'Text', {indexed: true, scope: 'agnostic'}),
    attribute('account', 'label', 'Text', {scope: 'agnostic'}),
    attribute('account', 'note', 'Text', {scope: 'aware'}),
    attribute('account', 'theme', 'Text', {scope: 'local'}),
  ],
  relationships: [
    relationship('manager', 'account__manager', 'TestAccount', {
      ...one,
      direction: 'outbound',
      scope: 'agnostic',
    }),
    relationship('reports', 'account__manager', 'TestAccount', {direction: 'inbound', scope: 'agnostic'}),
    relationship('devices', 'device__keeper', 'TestDevice'),
  ],
  orderBy: ['name'],
  unique: [uniqueOn('account-name', 'name')],
});

export const ARTIFACT = kindRecord({
  name: 'TestArtifact',
  scope: 'local',
  attributes: [
    attribute('artifact', 'name', 'Text', {indexed: true, scope: 'local'}),
    attribute('artifact', 'checksum', 'Text', {scope: 'local'}),
  ],
  relationships: [relationship('device', 'artifact__device', 'TestDevice', {...one, scope: 'local'})],
  orderBy: ['name'],
});

export const ALL_KINDS: readonly KindRecord[] = [
  SITE,
  RACK,
  DEVICE,
  SERVER,
  INTERFACE,
  CONSOLE,
  CABLE,
  TAG,
  REGION,
  ACCOUNT,
  ARTIFACT,
];

export async function putKinds(
  store: GraphStore,
  branch: BranchName,
  ...records: readonly KindRecord[]
): Promise<Instant> {
  const {commit} = await store.write(branch, SERVICE, async draft => {
    for (const record of records) await draft.putKind(record);
  });
  if (commit === undefined) throw new Error('the schema was there already');
  return commit;
}
