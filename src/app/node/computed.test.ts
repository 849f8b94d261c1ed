import {describe, expect, test} from 'vitest';
import {deleteNode} from './delete-node.ts';
import {NETWORK} from './network-fixtures.ts';
import {add, addDevice, addSite, change} from './network-objects-fixtures.ts';
import {updateNode} from './update-node.ts';
import {input, openWorld, refusal} from './world-fixtures.ts';

const world = await openWorld(NETWORK);

const CHAIN = {
  nodes: [
    {
      namespace: 'Test',
      name: 'Link',
      attributes: [
        {name: 'name', kind: 'Text', unique: true},
        {
          name: 'path',
          kind: 'Text',
          read_only: true,
          computed_attribute: {
            kind: 'Jinja2',
            jinja2_template:
              '{% if upper__path__value %}{{ upper__path__value }}/{% endif %}{{ name__value }}',
          },
        },
        {
          name: 'shout',
          kind: 'Text',
          optional: true,
          read_only: true,
          computed_attribute: {kind: 'Jinja2', jinja2_template: '{{ path__value | upper }}'},
        },
      ],
      relationships: [
        {
          name: 'upper',
          peer: 'TestLink',
          identifier: 'link__link',
          cardinality: 'one',
          direction: 'outbound',
        },
      ],
    },
  ],
};
const chain = await openWorld(CHAIN);

const strict = await openWorld({
  nodes: [
    {
      namespace: 'Test',
      name: 'Room',
      attributes: [{name: 'name', kind: 'Text', unique: true}],
      relationships: [{name: 'desks', peer: 'TestDesk', identifier: 'desk__room'}],
    },
    {
      namespace: 'Test',
      name: 'Desk',
      attributes: [
        {
          name: 'code',
          kind: 'Text',
          read_only: true,
          parameters: {max_length: 5},
          computed_attribute: {kind: 'Jinja2', jinja2_template: '{{ room__name__value | upper }}'},
        },
      ],
      relationships: [
        {name: 'room', peer: 'TestRoom', identifier: 'desk__room', cardinality: 'one', optional: false},
      ],
    },
  ],
});

describe('a computed attribute', () => {
  test('is rendered with the object, and again in the commit that changes what it reads', async () => {
    const site = await addSite(world, 'atl1');
    const device = await addDevice(world, 'r1', site.id);
    expect(device.attribute('fqdn')).toMatchObject({value: 'r1.atl1', isDefault: false});
    const renamed = await change(world, device, {name: 'R9'});
    expect([renamed.value('fqdn'), renamed.value('page')]).toEqual(['R9.atl1', 'https://r9.atl1/']);
    const {commit} = await world.commit(scope =>
      updateNode(scope, 'InfraSite', input({name: 'atl9'}, {}, {id: site.id})),
    );
    expect((await world.node(device.id)).attribute('page')).toMatchObject({
      value: 'https://r9.atl9/',
      updatedAt: commit,
    });
  });

  test('follows the object to another peer', async () => {
    const [one, two] = [await addSite(world, 'one'), await addSite(world, 'two')];
    const device = await addDevice(world, 'mover', one.id);
    expect((await change(world, device, {}, {site: {id: two.id}})).value('fqdn')).toBe('mover.two');
  });

  test('stays when something it does not read changes', async () => {
    const site = await addSite(world, 'still');
    const device = await addDevice(world, 'still', site.id);
    const before = (await world.node(device.id)).version;
    await change(world, site, {city: 'Elsewhere'});
    expect((await world.node(device.id)).version).toBe(before);
  });

  test('cannot be set', async () => {
    const site = await addSite(world, 'set');
    const error = await refusal(addDevice(world, 'set', site.id, {fqdn: 'mine'}));
    expect(error.message).toBe('fqdn is read-only on InfraDevice at fqdn');
  });

  test('settles along a chain of objects that knows no way back', async () => {
    const top = await add(chain, 'TestLink', {name: 'a'});
    const middle = await add(chain, 'TestLink', {name: 'b'}, {upper: {id: top.id}});
    const bottom = await add(chain, 'TestLink', {name: 'c'}, {upper: {id: middle.id}});
    expect(bottom.value('shout')).toBe('A/B/C');
    await change(chain, top, {name: 'z'});
    expect((await chain.node(bottom.id)).value('shout')).toBe('Z/B/C');
  });

  test('is rendered for objects nested in one input', async () => {
    const nested = input({name: 'n2'}, {upper: {data: input({name: 'n1'})}});
    const bottom = await add(chain, 'TestLink', {name: 'n3'}, {upper: {data: nested}});
    expect(bottom.value('path')).toBe('n1/n2/n3');
  });

  test('is rendered anew when its peer is deleted', async () => {
    const top = await add(chain, 'TestLink', {name: 'gone'});
    const bottom = await add(chain, 'TestLink', {name: 'left'}, {upper: {id: top.id}});
    await chain.write(scope => deleteNode(scope, 'TestLink', {id: top.id}));
    expect((await chain.node(bottom.id)).value('shout')).toBe('LEFT');
  });
});

describe('a change is refused', () => {
  test('when computed attributes read each other and never settle', async () => {
    const error = await refusal(add(world, 'InfraEcho', {name: 'echo'}));
    expect(error.code).toBe('CONSTRAINT_VIOLATION');
    expect(error.message).toBe(
      'Computed attributes read each other in a circle and never settle: InfraEcho.ping, InfraEcho.pong',
    );
  });

  test('when a circle of objects would grow a value for ever', async () => {
    const first = await add(chain, 'TestLink', {name: 'x'});
    const second = await add(chain, 'TestLink', {name: 'y'}, {upper: {id: first.id}});
    const error = await refusal(change(chain, first, {}, {upper: {id: second.id}}));
    expect(error.message).toContain('in a circle');
    expect((await chain.node(first.id)).value('path')).toBe('x');
  });

  test('when it would give another object a value that its attribute does not take', async () => {
    const room = await add(strict, 'TestRoom', {name: 'r1'});
    const desk = await add(strict, 'TestDesk', {}, {room: {id: room.id}});
    expect(desk.value('code')).toBe('R1');
    const error = await refusal(change(strict, room, {name: 'room-one'}));
    expect(error.code).toBe('VALIDATION_ERROR');
    expect(error.message).toBe(`TestDesk ${desk.id}: code must have at most 5 characters, it has 8 at code`);
    expect((await strict.node(room.id)).value('name')).toBe('r1');
  });
});
