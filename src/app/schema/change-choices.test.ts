import {beforeAll, expect, test} from 'vitest';
import {
  kind,
  MAIN,
  number,
  openWorld,
  type SchemaWorld,
  SERVICE,
  text,
} from '../../../test/api/schema-world.ts';
import {FULL_ACCESS} from '../../domain/access/access.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import {addDropdownChoice, addEnumMember, removeDropdownChoice, removeEnumMember} from './change-choices.ts';

let world: SchemaWorld;

beforeAll(async () => {
  world = await openWorld();
  await world.load({
    generics: [
      kind('Asset', {
        attributes: [
          {
            name: 'status',
            kind: 'Dropdown',
            optional: true,
            choices: [{name: 'up', color: '#00ff00'}, {name: 'down'}],
          },
        ],
      }),
    ],
    nodes: [
      kind('Device', {
        inherit_from: ['InfraAsset'],
        attributes: [
          text('role', {optional: true, enum: ['leaf']}),
          number('size', {optional: true, enum: [1, 2], default_value: 1}),
        ],
      }),
    ],
  });
});

const at = (attribute: string, kindName = 'InfraDevice') => ({branch: MAIN, kind: kindName, attribute});

async function attributeOf(name: string) {
  const {body} = await world.get('/api/schema/InfraDevice');
  return body.attributes.find((each: {name: string}) => each.name === name);
}

const create = (values: Readonly<Record<string, string | number>>): Promise<NodeId> =>
  world.create('InfraDevice', values);

test('a choice joins the others, where the dropdown is declared, and is answered as it is shown', async () => {
  const choice = {name: 'planned', label: 'Planned', color: '#ABCDEF', description: 'Not yet'};
  expect(await addDropdownChoice(world.deps, SERVICE, {...at('status'), choice})).toEqual({
    ...choice,
    color: '#abcdef',
  });
  const {choices} = await attributeOf('status');
  expect(choices.map((each: {name: string}) => each.name)).toEqual(['up', 'planned', 'down']);
  expect(choices.find((each: {name: string}) => each.name === 'up').color).toBe('#00ff00');
  expect((await attributeOf('status')).inherited).toBe(true);
  await create({status: 'planned'});
});

test('a choice needs no more than a name', async () => {
  const added = await addDropdownChoice(world.deps, SERVICE, {...at('status'), choice: {name: 'spare'}});
  expect(added).toEqual({
    name: 'spare',
    label: 'Spare',
    color: expect.stringMatching(/^#[0-9a-f]{6}$/),
    description: '',
  });
});

test('a choice that somebody has chosen cannot go; a free one can', async () => {
  await addDropdownChoice(world.deps, SERVICE, {...at('status'), choice: {name: 'taken'}});
  const id = await create({status: 'taken'});
  const request = {...at('status'), choice: 'taken'};
  await expect(removeDropdownChoice(world.deps, SERVICE, request)).rejects.toMatchObject({
    code: 'CONSTRAINT_VIOLATION',
    message: expect.stringContaining(id),
  });
  await world.commit(draft => draft.update(id, {status: {value: 'up'}}));
  await removeDropdownChoice(world.deps, SERVICE, request);
  expect((await attributeOf('status')).choices.map((each: {name: string}) => each.name)).not.toContain(
    'taken',
  );
});

test('members of an enum come and go, in the type of the attribute', async () => {
  await addEnumMember(world.deps, SERVICE, {...at('size'), member: '4'});
  expect((await attributeOf('size')).enum).toEqual([1, 2, 4]);
  await addEnumMember(world.deps, SERVICE, {...at('role'), member: 'spine'});
  expect((await attributeOf('role')).enum).toEqual(['leaf', 'spine']);
  await create({role: 'spine', size: 4});
  await expect(removeEnumMember(world.deps, SERVICE, {...at('size'), member: 4})).rejects.toMatchObject({
    code: 'CONSTRAINT_VIOLATION',
  });
  await removeEnumMember(world.deps, SERVICE, {...at('size'), member: 2});
  expect((await attributeOf('size')).enum).toEqual([1, 4]);
});

test.each([
  [
    'an unknown kind',
    () => addDropdownChoice(world.deps, SERVICE, {...at('status', 'InfraNo'), choice: {name: 'new'}}),
    'SCHEMA_NOT_FOUND',
  ],
  [
    'an unknown attribute',
    () => addDropdownChoice(world.deps, SERVICE, {...at('nothing'), choice: {name: 'new'}}),
    'VALIDATION_ERROR',
  ],
  [
    'what is no dropdown',
    () => addDropdownChoice(world.deps, SERVICE, {...at('role'), choice: {name: 'new'}}),
    'VALIDATION_ERROR',
  ],
  [
    'what has no enum',
    () => addEnumMember(world.deps, SERVICE, {...at('status'), member: 'new'}),
    'VALIDATION_ERROR',
  ],
  [
    'a choice that is there',
    () => addDropdownChoice(world.deps, SERVICE, {...at('status'), choice: {name: 'up'}}),
    'VALIDATION_ERROR',
  ],
  [
    'a choice that is not there',
    () => removeDropdownChoice(world.deps, SERVICE, {...at('status'), choice: 'never'}),
    'VALIDATION_ERROR',
  ],
  [
    'a member that is there',
    () => addEnumMember(world.deps, SERVICE, {...at('role'), member: 'leaf'}),
    'VALIDATION_ERROR',
  ],
  [
    'a member that is not there',
    () => removeEnumMember(world.deps, SERVICE, {...at('role'), member: 'never'}),
    'VALIDATION_ERROR',
  ],
  [
    'a member of another type',
    () => addEnumMember(world.deps, SERVICE, {...at('size'), member: 'big'}),
    'VALIDATION_ERROR',
  ],
  [
    'the member that is the default',
    () => removeEnumMember(world.deps, SERVICE, {...at('size'), member: 1}),
    'VALIDATION_ERROR',
  ],
  [
    'a colour that is none',
    () => addDropdownChoice(world.deps, SERVICE, {...at('status'), choice: {name: 'new', color: 'red'}}),
    'VALIDATION_ERROR',
  ],
  [
    'an empty name',
    () => addDropdownChoice(world.deps, SERVICE, {...at('status'), choice: {name: ''}}),
    'VALIDATION_ERROR',
  ],
  [
    'a built-in attribute',
    () => addDropdownChoice(world.deps, SERVICE, {...at('status', 'CoreAccount'), choice: {name: 'asleep'}}),
    'VALIDATION_ERROR',
  ],
])('%s is refused', async (_, change, code) => {
  const hash = await world.hash();
  await expect(change()).rejects.toMatchObject({code});
  expect(await world.hash()).toBe(hash);
});

test('needs the right to change the schema', async () => {
  const access = {allows: () => false};
  const request = {...at('status'), choice: {name: 'mine'}};
  await expect(addDropdownChoice(world.deps, {account: null, access}, request)).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  });
  expect(FULL_ACCESS.allows({is: 'global', action: 'manage_schema'})).toBe(true);
});
