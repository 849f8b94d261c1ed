import {getIntrospectionQuery} from 'graphql';
import {nameOf, ROLES} from '../data-sets/data-set.ts';
import {scatter} from '../data-sets/scatter.ts';
import {deviceId, devicesOf, siteName, sitesOf} from '../data-sets/service-set.ts';
import type {RawServiceReads} from '../limits/raw-service-reads.ts';

export const WRITES_PER_SECOND = 20;
const SIX =
  'name { value } status { value } role { value } serial { value } position { value } description { value }';

export interface Question {
  readonly name: string;
  readonly path: string;
  readonly bodies: readonly string[];
  /** True when somebody writes meanwhile, so that no answer can be given twice for long. */
  readonly isDisturbed?: true;
  /** The raw statements that read what the answer is made of, where they are the limit that matters. */
  readonly raw?: (reads: RawServiceReads) => unknown;
}

const THOUSAND = '1,000 x 10';
const rawThousand = (reads: RawServiceReads) => reads.withInterfaces(1_000);

export const text = (query: string, variables: object = {}): string => JSON.stringify({query, variables});

export function questions(size: number, past: string): readonly Question[] {
  const devices = devicesOf(size);
  const point = (place: number) => [deviceId(scatter(place, 9) % devices)];
  const many = <T>(body: (place: number) => T) => Array.from({length: 200}, (_, place) => body(place));
  const byId = `query ($ids: [ID]) { BenchDevice(ids: $ids) { edges { node { id display_label ${SIX} } } } }`;
  const list = `query ($role: String) { BenchDevice(role__value: $role, limit: 50) { edges { node { id ${SIX} } } } }`;
  const nested = `query ($role: String) { BenchDevice(role__value: $role, limit: 50) { edges { node { id ${SIX}
    site { node { id name { value } } }
    interfaces(limit: 10) { edges { node { id name { value } speed { value } } } } } } } }`;
  const thousand = `{ BenchDevice(limit: 1000) { edges { node { id ${SIX}
    interfaces(limit: 10) { edges { node { id name { value } speed { value } } } } } } } }`;
  const levels = `query ($offset: Int) { BenchSite(offset: $offset, limit: 5) { edges { node { id name { value }
    devices(limit: 10) { edges { node { id ${SIX}
      interfaces(limit: 10) { edges { node { id name { value } speed { value } } } } } } } } } } }`;
  const search = `query ($word: String) { BenchDevice(any__value: $word, partial_match: true, limit: 20) {
    edges { node { id display_label } } } }`;
  const count = 'query ($role: String) { BenchDevice(role__value: $role) { count } }';
  const through = `query ($name: String) {
    BenchInterface(where: {device: {site: {name: {value: $name}}}}, limit: 50) { edges { node { id } } } }`;
  const part = (place: number) => nameOf(scatter(place, 9) % devices).slice(-5);
  const role = (place: number) => ({role: ROLES[place % ROLES.length]});
  return [
    {name: 'node by id', path: '/graphql', bodies: many(place => text(byId, {ids: point(place)}))},
    {
      name: 'node by id, branch',
      path: '/graphql/work',
      bodies: many(place => text(byId, {ids: point(place)})),
    },
    {
      name: 'node by id, past',
      path: `/graphql?at=${encodeURIComponent(past)}`,
      bodies: many(place => text(byId, {ids: point(place)})),
    },
    {name: 'list of 50', path: '/graphql', bodies: many(place => text(list, role(place)))},
    {name: 'list of 50, branch', path: '/graphql/work', bodies: many(place => text(list, role(place)))},
    {
      name: 'list of 50, past',
      path: `/graphql?at=${encodeURIComponent(past)}`,
      bodies: many(place => text(list, role(place))),
    },
    {name: '50 x 1 x 10', path: '/graphql', bodies: many(place => text(nested, role(place)))},
    {
      name: '5 x 10 x 10',
      path: '/graphql',
      bodies: many(place => text(levels, {offset: (5 * place) % sitesOf(size)})),
    },
    {name: THOUSAND, path: '/graphql', bodies: [text(thousand)], raw: rawThousand},
    {name: 'count by an indexed value', path: '/graphql', bodies: many(place => text(count, role(place)))},
    {
      name: 'through two relationships',
      path: '/graphql',
      bodies: many(place => text(through, {name: siteName(scatter(place, 8) % sitesOf(size))})),
    },
    {
      name: 'search for a part of any value',
      path: '/graphql',
      bodies: many(place => text(search, {word: part(place)})),
      raw: reads => reads.containing(part(0)),
    },
    ...[
      {name: 'node by id', bodies: many(place => text(byId, {ids: point(place)}))},
      {name: 'list of 50', bodies: many(place => text(list, role(place)))},
      {name: '50 x 1 x 10', bodies: many(place => text(nested, role(place)))},
      {name: 'count by an indexed value', bodies: many(place => text(count, role(place)))},
    ].map(
      ({name, bodies}): Question => ({
        name: `${name}, with writes`,
        path: '/graphql',
        bodies,
        isDisturbed: true,
      }),
    ),
    {name: 'introspection', path: '/graphql', bodies: [text(getIntrospectionQuery())]},
  ];
}
