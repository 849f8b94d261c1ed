import fc from 'fast-check';
import type {Json} from '../../base/json.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {ServiceError} from '../../domain/errors.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {BranchWorld, Links, Values} from './branch-fixtures.ts';

const text = (name: string, rest: object = {}) => ({name, kind: 'Text', optional: true, ...rest});

/** Sites, devices at them with ports, and devices that know one another. */
export const SMALL_NETWORK = {
  version: '1.0',
  nodes: [
    {
      namespace: 'Infra',
      name: 'Site',
      attributes: [text('name', {unique: true, optional: false}), text('city')],
      relationships: [
        {
          name: 'devices',
          peer: 'InfraDevice',
          identifier: 'device__site',
          cardinality: 'many',
          optional: true,
        },
      ],
    },
    {
      namespace: 'Infra',
      name: 'Device',
      attributes: [
        text('name', {unique: true, optional: false}),
        text('role'),
        text('note', {default_value: 'none'}),
        text('label', {
          read_only: true,
          computed_attribute: {kind: 'Jinja2', jinja2_template: '{{ name__value }}/{{ role__value }}'},
        }),
      ],
      relationships: [
        {name: 'site', peer: 'InfraSite', identifier: 'device__site', cardinality: 'one', optional: true},
        {
          name: 'friends',
          peer: 'InfraDevice',
          identifier: 'device__friend',
          cardinality: 'many',
          optional: true,
        },
        {
          name: 'ports',
          peer: 'InfraPort',
          identifier: 'device__port',
          cardinality: 'many',
          kind: 'Component',
          optional: true,
        },
      ],
    },
    {
      namespace: 'Infra',
      name: 'Port',
      attributes: [text('name', {optional: false}), text('speed')],
      uniqueness_constraints: [['device', 'name__value']],
      relationships: [
        {
          name: 'device',
          peer: 'InfraDevice',
          identifier: 'device__port',
          cardinality: 'one',
          kind: 'Parent',
          optional: false,
        },
      ],
    },
  ],
};

const KINDS = ['InfraSite', 'InfraDevice', 'InfraPort'] as const;

/** One change, in terms of the n-th object that is there. */
export interface Step {
  readonly verb: 'create' | 'value' | 'relate' | 'befriend' | 'rename' | 'remove';
  readonly kind: (typeof KINDS)[number];
  readonly pick: number;
  readonly word: number;
}

export const steps = (max = 8): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({
      verb: fc.constantFrom('create', 'create', 'value', 'value', 'relate', 'befriend', 'rename', 'remove'),
      kind: fc.constantFrom(...KINDS),
      pick: fc.nat({max: 7}),
      word: fc.nat({max: 7}),
    }),
    {maxLength: max},
  );

/** Runs the steps; what the rules refuse is left out, as a user would leave it. */
export async function work(
  world: BranchWorld,
  branch: BranchName,
  list: readonly Step[],
  prefix = 'n',
): Promise<void> {
  for (const step of list) {
    try {
      await (await planned(world, branch, step, prefix)).write();
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
  }
}

/** The write that a step stands for, with the objects that it means as they are at an instant. */
export interface PlannedWrite {
  readonly at: Instant;
  write(): Promise<unknown>;
}

export async function planned(
  world: BranchWorld,
  branch: BranchName,
  step: Step,
  prefix = 'n',
): Promise<PlannedWrite> {
  const snapshot = await world.store.snapshot({branch});
  return {at: snapshot.at, write: await writeFor(world, snapshot, step, prefix)};
}

async function writeFor(
  world: BranchWorld,
  snapshot: Snapshot,
  {verb, kind, pick, word}: Step,
  prefix: string,
): Promise<() => Promise<unknown>> {
  const here = world.on(snapshot.branch);
  const nth = async (of: string, place: number) => {
    const all = await objects(snapshot, of);
    return all.length === 0 ? undefined : all[place % all.length]!.id;
  };
  const id = await nth(kind, pick);
  if (verb === 'create') {
    const values: Values = {name: `${prefix}${word}`};
    const device = await nth('InfraDevice', pick);
    const site = await nth('InfraSite', pick);
    const links: Links =
      kind === 'InfraPort' && device !== undefined
        ? {device: {id: device}}
        : kind === 'InfraDevice' && site !== undefined && word % 2 === 0
          ? {site: {id: site}}
          : {};
    return () => here.create(kind, values, links);
  }
  if (id === undefined) return async () => undefined;
  if (verb === 'value') {
    const name =
      kind === 'InfraSite' ? 'city' : kind === 'InfraPort' ? 'speed' : word % 2 === 0 ? 'role' : 'note';
    return () => here.set(id, kind, {[name]: word === 0 ? null : `v${word % 4}`});
  }
  if (verb === 'rename') return () => here.set(id, kind, {name: `${prefix}${word}`});
  if (verb === 'remove') return () => here.remove(id, kind);
  const device = await nth('InfraDevice', pick);
  if (device === undefined) return async () => undefined;
  if (verb === 'relate') {
    const site = await nth('InfraSite', word);
    const links = {site: word === 7 || site === undefined ? null : {id: site}};
    return () => here.set(device, 'InfraDevice', {}, links);
  }
  const friend = (await nth('InfraDevice', word))!;
  return () => here.set(device, 'InfraDevice', {}, {friends: [{id: friend}]});
}

/** By name, so that the same work on two copies picks the same objects. */
async function objects(snapshot: Snapshot, kind: string) {
  const {found} = await snapshot.query({kind, page: {limit: 1000, offset: 0}});
  const keyed = await Promise.all(
    found.map(async ({node}) => ({id: node.id, key: await nameOf(snapshot, node.id)})),
  );
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
}

async function nameOf(snapshot: Snapshot, id: NodeId): Promise<string> {
  const node = await snapshot.node(id);
  if (node?.kind !== 'InfraPort') return `${node?.kind}:${node?.value('name') as string}`;
  const [device] = await snapshot.neighbours(id, 'device');
  const of = device === undefined ? undefined : await snapshot.node(device.id);
  return `${node.kind}:${of?.value('name') as string}:${node.value('name') as string}`;
}

/** Everything that a branch shows, by id or, to compare copies, by name. Times are left out. */
export async function shown(
  world: BranchWorld,
  branch: BranchName,
  {at, by = 'id'}: {readonly at?: Instant; readonly by?: 'id' | 'name'} = {},
): Promise<Json> {
  const snapshot = await world.store.snapshot(at === undefined ? {branch} : {branch, at});
  const keyOf = async (id: NodeId) => (by === 'id' ? id : nameOf(snapshot, id));
  const all: Record<string, Json> = {};
  for (const kind of KINDS) {
    const shape = snapshot.kind(kind)!;
    for (const {node} of (await snapshot.query({kind, page: {limit: 1000, offset: 0}})).found) {
      const values: Record<string, Json> = {kind};
      for (const {name} of shape.attributes) {
        const {updatedAt: _at, ...state} = node.attribute(name)!;
        values[name] = state as Json;
      }
      for (const {name} of shape.relationships) {
        const peers: Record<string, Json> = {};
        for (const peer of await snapshot.neighbours(node.id, name)) {
          peers[await keyOf(peer.id)] = peer.edge.properties as unknown as Json;
        }
        values[`~${name}`] = sorted(peers);
      }
      all[await keyOf(node.id)] = values;
    }
  }
  return sorted(all);
}

const sorted = (object: Readonly<Record<string, Json>>): Json =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
