import {expect, test} from 'vitest';
import type {Page} from '../../ports/graph-store.ts';
import {MAIN} from '../../ports/graph-store-fixtures.ts';
import {documentCache} from '../sql/document-cache.ts';
import type {GraphLayout} from '../sql/layout.ts';
import type {StoredNode} from '../sql/stored-node.ts';
import {Network} from './network-fixtures.ts';
import {packPage, SentVersions, unpackPage} from './page-codec.ts';

const network = await Network.of(20);
const snapshot = await network.store.snapshot({branch: MAIN});
const page = await snapshot.query({
  kind: 'TestSite',
  count: true,
  include: [
    {
      relationship: 'devices',
      order: [{by: 'createdAt', descending: true}],
      include: [{relationship: 'site'}],
    },
  ],
});
await network.store.close();

const layout = {bySerial: kindsIn(page)} as unknown as GraphLayout;

function kindsIn({found}: Page): Map<number, StoredNode['layout']> {
  const own = found.map(({node}) => (node as StoredNode).layout);
  const below = found.flatMap(({included}) => included).map(kindsIn);
  return new Map([...own.map(kind => [kind.serial, kind] as const), ...below.flatMap(kinds => [...kinds])]);
}

/** All that can be seen of a page. */
const shown = ({found, count, hasMore}: Page): unknown => ({
  count,
  hasMore,
  found: found.map(({node, cursor, edge, included}) => [
    node.id,
    node.version,
    cursor,
    edge,
    included.map(shown),
  ]),
});

test('a page arrives as it was sent', async () => {
  const arrived = await unpackPage(packPage(page, new SentVersions(100)), layout, documentCache(100));
  expect(arrived && shown(arrived)).toEqual(shown(page));
});

test('a document travels once, and again when the other side no longer has it', async () => {
  const sent = new SentVersions(100);
  const cache = documentCache(100);
  const first = packPage(page, sent);
  const second = packPage(page, sent);
  expect(first.nodes.length).toBeGreaterThan(0);
  expect(second.nodes).toEqual([]);
  await unpackPage(first, layout, cache);
  const arrived = await unpackPage(second, layout, cache);
  expect(arrived && shown(arrived)).toEqual(shown(page));
  expect(await unpackPage(second, layout, documentCache(100))).toBeUndefined();
  const whole = await unpackPage(packPage(page, undefined), layout, documentCache(100));
  expect(whole && shown(whole)).toEqual(shown(page));
});
