import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {Snapshot} from '../../ports/graph-store.ts';
import {chosen, freshId} from '../../ports/graph-store-fixtures.ts';
import {first50, leaves, Network, PLACES, statementsOf} from './network-fixtures.ts';

describe('the number of statements is the same for 10 rows and for 500', () => {
  let networks: readonly Network[];
  beforeAll(async () => {
    networks = [await Network.of(10), await Network.of(500)];
  });
  afterAll(() => Promise.all(networks.map(network => network.store.close())));

  /** Asked of stores just opened, so that nothing is answered from memory. */
  async function counts(count: (network: Network) => Promise<readonly string[]>): Promise<readonly number[]> {
    const numbers: number[] = [];
    for (const network of networks) {
      await network.world.reopen();
      numbers.push((await count(network)).length);
    }
    return numbers;
  }

  const shapes: Readonly<Record<string, (network: Network, snapshot: Snapshot) => unknown>> = {
    'an object': (network, snapshot) => snapshot.node(network.devices[5]!),
    'all objects by id': (network, snapshot) => snapshot.nodes(network.devices),
    'a whole list with its count': (_, snapshot) => snapshot.query({kind: 'TestDevice', count: true}),
    'a list by value': (_, snapshot) => snapshot.query({kind: 'TestDevice', where: leaves, page: first50}),
    'a list in another order': (_, snapshot) =>
      snapshot.query({kind: 'TestDevice', order: [{by: 'createdAt', descending: true}]}),
    'a list through a related object': (_, snapshot) =>
      snapshot.query({kind: 'TestDevice', where: {is: 'related', relationship: 'site'}}),
    'a generic': (_, snapshot) => snapshot.query({kind: 'TestAsset', page: first50}),
    'three levels': (_, snapshot) =>
      snapshot.query({
        kind: 'TestSite',
        include: [{relationship: 'devices', include: [{relationship: 'site', count: true}]}],
      }),
    'the peers of an object': (network, snapshot) => snapshot.neighbours(network.site, 'devices'),
  };

  for (const [title, ask] of Object.entries(shapes)) {
    test.each(PLACES)(`${title} (%s)`, async place => {
      const [few, many] = await counts(network => network.asked(place, snapshot => ask(network, snapshot)));
      expect(many).toBe(few);
    });
  }

  test('a diff', async () => {
    const [few, many] = await counts(network =>
      statementsOf(network.store.reader, () => network.store.diff(network.points.branch)),
    );
    expect(many).toBe(few);
  });

  test.each(['main', 'branch', 'nested'] as const)(
    'an object created, linked and changed (%s)',
    async place => {
      const [few, many] = await counts(network =>
        network.written(place, async draft => {
          const id = freshId();
          await draft.create({id, kind: 'TestDevice', attributes: chosen({name: `new-${place}`})});
          await draft.link({node: id, relationship: 'site', peer: network.site});
          await draft.update(network.devices[4]!, chosen({name: `changed-${place}`}));
        }),
      );
      expect(many).toBe(few);
    },
  );
});
