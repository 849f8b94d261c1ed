import {afterAll, beforeAll, expect, test} from 'vitest';
import {RecordedSnapshot} from '../../src/app/query/recorded-snapshot.ts';
import type {RunQuery} from '../../src/app/query/run-query.ts';
import {FULL_ACCESS} from '../../src/domain/access/access.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import {Answerer} from '../../src/wire/graphql/answerer.ts';
import {queryRunner} from '../../src/wire/graphql/query-runner.ts';
import {type Branches, openBranches} from './branch-world.ts';

const MAIN = 'main' as BranchName;
const caller = {account: null, access: FULL_ACCESS};
let world: Branches;
let run: RunQuery;
let edge: string;
let core: string;

beforeAll(async () => {
  world = await openBranches();
  run = queryRunner(new Answerer(world.world.services), () => 'request');
  edge = await world.device('edge-1', undefined, ', height: {value: 2}');
  core = await world.device('core-1');
});
afterAll(() => world.close());

async function readBy(document: string) {
  const {store, schemas} = world.world.services;
  const inner = await store.snapshot({branch: MAIN});
  const snapshot = new RecordedSnapshot(inner, schemas.of(inner));
  const outcome = await run({caller, snapshot, document, variables: {}});
  expect(outcome.is).toBe('answered');
  return {nodes: [...snapshot.read.nodes].sort(), kinds: [...snapshot.read.kinds].sort()};
}

const FIELDS = '{ edges { node { name { value } } } }';

test('an object asked for by its id or a unique value is all that can matter', async () => {
  expect(await readBy(`{ InfraDevice(name__value: "edge-1") ${FIELDS} }`)).toEqual({
    nodes: [edge],
    kinds: [],
  });
  expect(await readBy(`{ InfraDevice(ids: ["${edge}", "${core}"]) ${FIELDS} }`)).toEqual({
    nodes: [edge, core].sort(),
    kinds: [],
  });
  expect(
    await readBy(
      '{ InfraDevice(name__value: "edge-1") { edges { node { interfaces { edges { node { name { value } } } } } } } }',
    ),
  ).toEqual({nodes: [edge], kinds: []});
});

test('lists, filters, and names that nobody has yet leave room for any object of the kind', async () => {
  expect((await readBy(`{ InfraDevice ${FIELDS} }`)).kinds).toEqual(['InfraDevice']);
  expect(await readBy(`{ InfraDevice(height__value: 2) ${FIELDS} }`)).toEqual({
    nodes: [edge],
    kinds: ['InfraDevice'],
  });
  expect(await readBy(`{ InfraDevice(name__value: "edge-9") ${FIELDS} }`)).toEqual({
    nodes: [],
    kinds: ['InfraDevice'],
  });
  const filtered = await readBy(
    `{ InfraDevice(ids: ["${edge}"]) { edges { node { interfaces(name__value: "a") { count } } } } }`,
  );
  expect(filtered.kinds).toEqual(['InfraInterface']);
  expect((await readBy(`{ InfraDevice(site__name__value: "x") ${FIELDS} }`)).kinds.length).toBe(2);
});

test('a query that cannot be run says why, and a mutation is none', async () => {
  const {store} = world.world.services;
  const snapshot = await store.snapshot({branch: MAIN});
  const outcome = await run({caller, snapshot, document: '{ InfraNothing { count } }', variables: {}});
  expect(outcome).toMatchObject({is: 'failed'});
  expect(
    await run({
      caller,
      snapshot,
      document: 'mutation { InfraDeviceCreate(data: {name: {value: "x"}}) { ok } }',
      variables: {},
    }),
  ).toEqual({is: 'failed', problems: [{message: 'A mutation cannot be run here', isDenied: false}]});
});
