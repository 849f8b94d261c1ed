import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Json} from '../../base/json.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {createNode} from './create-node.ts';
import {deleteNode} from './delete-node.ts';
import type {AttributeInput, NodeInput} from './node-input.ts';
import {updateNode} from './update-node.ts';
import {input, openWorld} from './world-fixtures.ts';

const NAMES = ['color', 'size'] as const;
const DEFAULTS: Readonly<Record<string, Json>> = {color: 'plain', size: null};

const world = await openWorld({
  nodes: [
    {
      namespace: 'Test',
      name: 'Thing',
      attributes: [
        {name: 'color', kind: 'Text', default_value: 'plain'},
        {name: 'size', kind: 'Number', optional: true},
      ],
    },
  ],
});

/** What a person would say that an object shows, worked out from scratch. */
interface Model {
  readonly things: Map<number, {id: NodeId; own: Map<string, Json>; profiles: Set<number>}>;
  readonly profiles: Map<number, {id: NodeId; priority: number; values: Map<string, Json>}>;
}

function expected(model: Model, thing: number, name: string) {
  const {own, profiles} = model.things.get(thing)!;
  if (own.has(name)) return {value: own.get(name), isFromProfile: false, source: null};
  let best: {id: NodeId; priority: number; value: Json} | undefined;
  for (const place of profiles) {
    const {id, priority, values} = model.profiles.get(place)!;
    const value = values.get(name) ?? null;
    if (value === null) continue;
    const isBetter =
      best === undefined || priority < best.priority || (priority === best.priority && id < best.id);
    if (isBetter) best = {id, priority, value};
  }
  if (best !== undefined) return {value: best.value, isFromProfile: true, source: best.id};
  return {value: DEFAULTS[name], isFromProfile: false, source: null};
}

const place = fc.nat({max: 2});
const attribute = fc.constantFrom(...NAMES);
const value = fc.constantFrom<Json>(null, 1, 2);
const step = fc.oneof(
  fc.record({do: fc.constant('assign' as const), thing: place, profiles: fc.uniqueArray(place)}),
  fc.record({do: fc.constant('set' as const), thing: place, attribute, value}),
  fc.record({do: fc.constant('reset' as const), thing: place, attribute}),
  fc.record({do: fc.constant('profile' as const), profile: place, attribute, value}),
  fc.record({do: fc.constant('priority' as const), profile: place, priority: fc.constantFrom(1, 2)}),
  fc.record({do: fc.constant('replace' as const), profile: place}),
  fc.record({do: fc.constant('recreate' as const), thing: place, profiles: fc.uniqueArray(place)}),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const typed = (name: string, given: Json): Json =>
  given === null || name === 'size' ? given : `color ${JSON.stringify(given)}`;

/** Three profiles and three objects that use some of them. */
const beginning = fc.record({
  profiles: fc.array(fc.record({priority: fc.constantFrom(1, 2, 3), color: value, size: value}), {
    minLength: 3,
    maxLength: 3,
  }),
  uses: fc.array(fc.uniqueArray(place), {minLength: 3, maxLength: 3}),
});
type Beginning = typeof beginning extends fc.Arbitrary<infer T> ? T : never;

let profilesMade = 0;

async function newProfile(priority: number, values: ReadonlyMap<string, Json>): Promise<NodeId> {
  profilesMade += 1;
  const own = {profile_name: `profile ${profilesMade}`, profile_priority: priority};
  const given = input({...own, ...Object.fromEntries(values)});
  return (await world.write(scope => createNode(scope, 'ProfileTestThing', given))).id;
}

async function begin({profiles, uses}: Beginning): Promise<Model> {
  const model: Model = {things: new Map(), profiles: new Map()};
  for (const [key, {priority, color, size}] of profiles.entries()) {
    const values = new Map([
      ['color', typed('color', color)],
      ['size', size],
    ]);
    model.profiles.set(key, {id: await newProfile(priority, values), priority, values});
  }
  for (const [key, used] of uses.entries()) {
    const related = {profiles: used.map(profile => ({id: model.profiles.get(profile)!.id}))};
    const thing = await world.write(scope => createNode(scope, 'TestThing', input({}, related)));
    model.things.set(key, {id: thing.id, own: new Map(), profiles: new Set(used)});
  }
  return model;
}

async function take(model: Model, each: Step): Promise<void> {
  const update = (kind: string, id: NodeId, given: Omit<NodeInput, 'id'>) =>
    world.write(scope => updateNode(scope, kind, {...given, id}));
  const attributes = (name: string, given: AttributeInput) => ({
    attributes: {[name]: given},
    relationships: {},
  });
  const references = (keys: readonly number[]) => keys.map(key => ({id: model.profiles.get(key)!.id}));
  switch (each.do) {
    case 'assign': {
      const thing = model.things.get(each.thing)!;
      await update('TestThing', thing.id, input({}, {profiles: references(each.profiles)}));
      thing.profiles = new Set(each.profiles);
      return;
    }
    case 'set': {
      const thing = model.things.get(each.thing)!;
      const next = typed(each.attribute, each.value);
      await update('TestThing', thing.id, attributes(each.attribute, {value: next, isDefault: false}));
      thing.own.set(each.attribute, next);
      return;
    }
    case 'reset': {
      const thing = model.things.get(each.thing)!;
      await update('TestThing', thing.id, attributes(each.attribute, {isDefault: true}));
      thing.own.delete(each.attribute);
      return;
    }
    case 'profile': {
      const profile = model.profiles.get(each.profile)!;
      const next = typed(each.attribute, each.value);
      await update('ProfileTestThing', profile.id, attributes(each.attribute, {value: next}));
      profile.values.set(each.attribute, next);
      return;
    }
    case 'priority': {
      const profile = model.profiles.get(each.profile)!;
      await update('ProfileTestThing', profile.id, attributes('profile_priority', {value: each.priority}));
      profile.priority = each.priority;
      return;
    }
    case 'replace': {
      const profile = model.profiles.get(each.profile)!;
      await world.write(scope => deleteNode(scope, 'ProfileTestThing', {id: profile.id}));
      model.profiles.set(each.profile, {id: await newProfile(1, new Map()), priority: 1, values: new Map()});
      for (const thing of model.things.values()) thing.profiles.delete(each.profile);
      return;
    }
    case 'recreate': {
      const thing = model.things.get(each.thing)!;
      const made = await world.write(async scope => {
        await deleteNode(scope, 'TestThing', {id: thing.id});
        return createNode(scope, 'TestThing', input({}, {profiles: references(each.profiles)}));
      });
      model.things.set(each.thing, {id: made.id, own: new Map(), profiles: new Set(each.profiles)});
      return;
    }
  }
}

async function compare(model: Model): Promise<void> {
  for (const [key, {id}] of model.things) {
    const node = await world.node(id);
    for (const name of NAMES) {
      const {value: shown, isFromProfile, source} = node.attribute(name)!;
      expect({value: shown, isFromProfile, source}).toEqual(expected(model, key, name));
    }
  }
}

test('after any history objects show their own value, else the best profile’s, else the default', async () => {
  await fc.assert(
    fc.asyncProperty(beginning, fc.array(step, {maxLength: 10}), async (first, steps) => {
      const model = await begin(first);
      await compare(model);
      for (const each of steps) {
        await take(model, each);
        await compare(model);
      }
    }),
    {numRuns: 40},
  );
});
