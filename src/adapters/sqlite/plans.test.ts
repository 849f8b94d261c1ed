import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {NodeQuery} from '../../domain/query/node-query.ts';
import type {Instant} from '../../domain/time/instant.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import {chosen, freshId, MAIN, SERVICE} from '../../ports/graph-store-fixtures.ts';
import {first50, leaves, Network, PLACES, statementsOf} from './network-fixtures.ts';

/** A list of parameters, the sums of a count and what branches hide are walked whole; no table is. */
const scansOf = (plan: string): readonly string[] =>
  plan
    .split('\n')
    .filter(line => /\bSCAN\b/.test(line) && !/^SCAN ((p|json_each) VIRTUAL TABLE|s\d*$|h$)/.test(line));

const sorts = /USE TEMP B-TREE/;

describe('the plan of', () => {
  let network: Network;
  beforeAll(async () => {
    network = await Network.of(60);
  });
  afterAll(() => network.store.close());

  const questions: Readonly<Record<string, (snapshot: Snapshot) => unknown>> = {
    'an object by its id': snapshot => snapshot.node(network.devices[5]!),
    'objects by their ids': snapshot => snapshot.nodes(network.devices.slice(0, 9)),
    'the neighbours of an object': snapshot => snapshot.neighbours(network.site, 'devices'),
    'a count of a kind': snapshot => snapshot.query({kind: 'TestDevice', count: true, nodes: false}),
    'a count by an indexed value': snapshot =>
      snapshot.query({kind: 'TestDevice', where: leaves, count: true, nodes: false}),
    'two levels below a list': snapshot =>
      snapshot.query({
        kind: 'TestSite',
        page: first50,
        include: [{relationship: 'devices', page: {limit: 10, offset: 0}, include: [{relationship: 'site'}]}],
      }),
    'objects whose related object has a value': snapshot =>
      snapshot.query({
        kind: 'TestDevice',
        where: {
          is: 'related',
          relationship: 'site',
          where: {is: 'attribute', attribute: 'name', property: 'value', test: {op: 'in', values: ['bern']}},
        },
      }),
    'a range of an indexed value': snapshot =>
      snapshot.query({
        kind: 'TestDevice',
        where: {is: 'attribute', attribute: 'position', property: 'value', test: {op: 'greater', value: 9}},
        page: first50,
      }),
  };

  for (const [title, ask] of Object.entries(questions)) {
    test.each(PLACES)(`${title} walks no table (%s)`, async place => {
      const statements = await network.asked(place, ask);
      expect(statements).not.toEqual([]);
      expect(scansOf(network.planOf(statements))).toEqual([]);
    });
  }

  const lists: Readonly<Record<string, Omit<NodeQuery, 'kind'>>> = {
    'a first page': {page: first50},
    'a page after a cursor': {page: {limit: 50, after: ['td3', 4]}},
    'a first page by an indexed value': {where: leaves, page: first50},
    'a page by an indexed value after a cursor': {where: leaves, page: {limit: 50, after: ['td3', 4]}},
  };

  for (const [title, query] of Object.entries(lists)) {
    test.each(PLACES)(`${title} reads in order, and stops with the page (%s)`, async place => {
      const [list] = await network.asked(place, snapshot => snapshot.query({kind: 'TestDevice', ...query}));
      const plan = network.planOf([list!]);
      expect(list).toMatch(/LIMIT \?\d+$/);
      expect(scansOf(plan)).toEqual([]);
      expect(plan).not.toMatch(sorts);
      expect(plan).not.toMatch(/MATERIALIZE|CO-ROUTINE/);
      // Several arms are merged row by row as they are asked for, none of them read to its end.
      if (place !== 'main') expect(plan).toMatch(/^MERGE \(UNION ALL\)/);
      if (query.page !== first50) {
        const places = plan.split('\n').filter(line => line.startsWith('SEARCH x '));
        for (const line of places) expect(line).toContain('(sk,node)>(?,?)');
      }
    });
  }

  test('a diff walks the change log and no table', async () => {
    const {branch} = network.points.branch;
    const statements = await statementsOf(network.store.reader, () => network.store.diff({branch}));
    const plan = network.planOf(statements);
    expect(scansOf(plan)).toEqual([]);
    expect(plan).toMatch(/SEARCH commits USING INDEX commits_branch \(branch=\? AND ts>\? AND ts<\?\)/);
  });

  test('three ways of a branch walk the change log and no table', async () => {
    const {branch} = network.points.branch;
    const statements = await statementsOf(network.store.reader, () => network.store.threeWay(branch));
    expect(scansOf(network.planOf(statements))).toEqual([]);
  });

  test.each([true, false])(
    'the commits of a branch come from their index (newest first: %s)',
    async newestFirst => {
      const statements = await statementsOf(network.store.reader, () =>
        network.store.commits({branch: MAIN, limit: 10, newestFirst, after: 0 as Instant}),
      );
      const plan = network.planOf(statements);
      expect(plan).toMatch(/SEARCH commits USING INDEX commits_branch/);
      expect(plan).not.toMatch(sorts);
    },
  );

  test.each(['main', 'branch', 'nested'] as const)(
    'every step of a write walks no table (%s)',
    async place => {
      const [a, b, other] = [freshId(), freshId(), freshId()];
      const statements = await network.written(place, async draft => {
        await draft.create({
          id: a,
          kind: 'TestDevice',
          attributes: chosen({name: `a-${place}`, asset_tag: place}),
        });
        await draft.create({id: b, kind: 'TestDevice', attributes: chosen({name: `b-${place}`})});
        await draft.create({id: other, kind: 'TestRack', attributes: chosen({name: 'rack'})});
        await draft.link({node: other, relationship: 'site', peer: network.site});
        await draft.link({node: a, relationship: 'site', peer: network.site}, {isProtected: true});
        await draft.unlink({node: a, relationship: 'site', peer: network.site});
        await draft.update(network.devices[9]!, chosen({name: `renamed-${place}`, role: 'spine'}));
        await draft.delete(network.devices[10]!);
        await draft.delete(b);
      });
      expect(statements.length).toBeGreaterThan(20);
      expect(scansOf(network.planOf(statements))).toEqual([]);
    },
  );

  test('the ends of many edges are told apart by indexes, without their documents', async () => {
    const edges = network.devices.slice(20, 25).map(node => {
      return {end: {node, relationship: 'site', peer: network.site}};
    });
    const statements = await network.written('main', draft => draft.linkAll(edges));
    const looks = statements.filter(sql => sql.includes('JOIN node n'));
    expect(looks).toHaveLength(1);
    const plan = network.planOf(looks);
    expect(plan).toMatch(/SEARCH n USING COVERING INDEX \w+ \(uuid=\?\)/);
    expect(plan).toMatch(/SEARCH v USING COVERING INDEX ver_at/);
    expect(scansOf(plan)).toEqual([]);
  });

  test('a unique value is looked up by its key, on the branch and below', async () => {
    const attributes = chosen({name: 'unique'});
    const statements = await network.written('nested', draft =>
      draft.create({id: freshId(), kind: 'TestDevice', attributes}),
    );
    const probes = statements.filter(sql => sql.includes('FROM uniq x'));
    const plan = network.planOf(probes);
    expect(plan).toMatch(/SEARCH x USING PRIMARY KEY \(branch=\? AND con=\? AND key=\?\)/);
    expect(plan).toMatch(/SEARCH x USING PRIMARY KEY \(branch=\? AND attr=\? AND val=\?\)/);
  });

  test('a deleted branch is removed by index, step by step', async () => {
    const gone = await network.world.branch('gone');
    await network.world.create('TestDevice', {name: 'gone'}, {on: gone, links: {site: network.site}});
    const statements = await statementsOf(network.store.writer, async () => {
      await network.store.deleteBranch(gone, SERVICE);
      await network.world.reopen();
    });
    expect(statements.some(sql => sql.startsWith('DELETE FROM ix'))).toBe(true);
    expect(scansOf(network.planOf(statements))).toEqual([]);
  });
});
