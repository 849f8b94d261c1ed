import type {Json} from '../../base/json.ts';
import type {Draft} from '../graph-store.ts';
import {chosen, numberedId} from '../graph-store-fixtures.ts';

type Row = readonly [
  number: number,
  kind: string,
  values: Readonly<Record<string, Json>>,
  links?: Readonly<Record<string, number | readonly number[]>>,
];

/** A small network that every history begins with, so that its first steps find something to work on. */
const ROWS: readonly (readonly Row[])[] = [
  [
    [1, 'TestRegion', {name: 'a'}],
    [2, 'TestRegion', {name: 'b'}, {parent: 1}],
    [3, 'TestRegion', {name: 'c'}, {parent: 2}],
    [4, 'TestRegion', {name: 'ab'}, {parent: 1}],
    [5, 'TestSite', {name: 'a', city: 'ä', population: 10, contacts: ['a']}, {region: 3}],
    [6, 'TestSite', {name: 'b', city: 'a', population: 1, facts: {a: 1, b: [true, null]}}, {region: 3}],
    [7, 'TestSite', {name: 'A', population: 10}, {region: 4}],
    [8, 'TestTag', {name: 'a'}],
    [9, 'TestTag', {name: 'b'}],
    [10, 'TestAccount', {name: 'a', note: 'b', theme: 'c'}],
    [11, 'TestAccount', {name: 'b', label: 'a'}, {manager: 10}],
  ],
  [
    [12, 'TestRack', {name: 'a', height: 1}, {site: 5}],
    [13, 'TestRack', {name: 'b', height: 1}, {site: 5}],
    [14, 'TestRack', {name: 'a', height: 2}, {site: 6}],
    [
      15,
      'TestDevice',
      {name: 'a', role: 'leaf', position: 1, address: '10.0.0.1/24', asset_tag: 'a'},
      {site: 5, rack: 12},
    ],
    [
      16,
      'TestDevice',
      {name: 'b', role: 'leaf', position: 2, weight: 2, enabled: true},
      {site: 5, rack: 12, uplinks: 15},
    ],
    [
      17,
      'TestDevice',
      {name: 'c', role: 'spine', status: 'ab', position: 2, enabled: false},
      {site: 6, rack: 14, uplinks: 16},
    ],
    [
      18,
      'TestDevice',
      {name: 'd', status: 'a', address: '2001:db8::1/64'},
      {tags: [8, 9], keeper: 10, twins: 15},
    ],
    [19, 'TestServer', {name: 'a', cores: 2, asset_tag: 'b'}, {tags: 8}],
    [20, 'TestServer', {name: 'b', cores: 10}, {tags: [8, 9]}],
  ],
  [
    [21, 'TestInterface', {name: 'a', speed: 1}, {device: 15}],
    [22, 'TestInterface', {name: 'b', speed: 10}, {device: 15}],
    [23, 'TestInterface', {name: 'a', speed: 10}, {device: 16}],
    [24, 'TestConsole', {name: 'c'}, {device: 15}],
    [25, 'TestCable', {label: 'a', color: 'a'}, {endpoints: [21, 23]}],
    [26, 'TestCable', {label: 'b'}, {endpoints: 24}],
    [27, 'TestArtifact', {name: 'a', checksum: 'a'}, {device: 15}],
    [28, 'TestArtifact', {name: 'b'}, {device: 16}],
  ],
];

export const POPULATION_SIZE = ROWS.flat().length;

/** One body for each commit. */
export const population: readonly ((draft: Draft) => Promise<void>)[] = ROWS.map(rows => async draft => {
  for (const [number, kind, values] of rows) {
    await draft.create({id: numberedId(number), kind, attributes: chosen(values)});
  }
  for (const [number, , , links = {}] of rows) {
    for (const [relationship, peers] of Object.entries(links)) {
      for (const peer of typeof peers === 'number' ? [peers] : peers) {
        await draft.link({node: numberedId(number), relationship, peer: numberedId(peer)});
      }
    }
  }
});
