import fc from 'fast-check';
import {execute, parse, validate} from 'graphql';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {viewOf} from '../../src/domain/access/view.ts';
import type {BranchName} from '../../src/domain/branch/branch.ts';
import {Answerer} from '../../src/wire/graphql/answerer.ts';
import type {FieldContext} from '../../src/wire/graphql/engine.ts';
import {errorJson} from '../../src/wire/graphql/errors.ts';
import {plainResolver} from '../../src/wire/graphql/plain/plain-resolver.ts';
import {Fragments} from '../../src/wire/graphql/plan/fragments.ts';
import {fillNetwork} from './graphql-data-fixtures.ts';
import {Dice, DocumentMaker} from './graphql-documents-fixtures.ts';
import {type GraphqlWorld, MAIN, openGraphql} from './graphql-fixtures.ts';

let world: GraphqlWorld;
let answerer: Answerer;

beforeAll(async () => {
  world = await openGraphql();
  const network = await fillNetwork(world);
  answerer = new Answerer(world.services);
  const fork = (name: string, origin: string) =>
    world.store.createBranch(
      {name: name as BranchName, origin: origin as BranchName, description: '', syncWithGit: false},
      {account: null},
    );
  await fork('work', MAIN);
  await world.data(
    `mutation { InfraDeviceUpdate(data: {id: "${network.devices.alpha}", height: {value: 99}, tags: []}) { ok } }`,
    {branch: 'work'},
  );
});

afterAll(() => world.close());

async function byGraphqlJs(
  query: string,
  variables: Record<string, unknown>,
  branch: BranchName,
): Promise<string> {
  const {services, caller} = world;
  const snapshot = await services.store.snapshot({branch});
  const schema = services.schemas.of(snapshot);
  const face = answerer.face(schema);
  const list = {schema, wheres: face.wheres, limits: services.limits, fragments: new Fragments(0)};
  const view = viewOf(caller.access, schema, branch === MAIN);
  const contextValue: FieldContext = {services, caller, view, branch, snapshot, at: undefined, schema, list};
  const {data, errors} = await execute({
    schema: face.graphql,
    document: parse(query),
    variableValues: variables,
    contextValue,
    fieldResolver: plainResolver as never,
  });
  const sink = {log: services.log, requestId: 'x'};
  const shown = errors?.map(error => errorJson(error, sink));
  return JSON.stringify({data, ...(shown === undefined ? {} : {errors: shown})});
}

test('compiled queries answer as graphql-js does, errors and order of keys included', async () => {
  const schema = answerer.face(world.services.schemas.of(await world.store.snapshot({branch: MAIN}))).graphql;
  let [compared, failing] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.constantFrom('main', 'work'),
      fc.nat({max: 4}),
      async (seed, branch, size) => {
        const query = new DocumentMaker(schema, new Dice(seed)).document();
        if (validate(schema, parse(query)).length > 0) return;
        compared += 1;
        const ids = [...(new Dice(seed + 1).chance(50) ? [] : ['00000000-0000-7000-8000-000000000003'])];
        const variables = {yes: true, no: false, size, ids: seed % 3 === 0 ? null : ids};
        const answer = await answerer.answer({
          branch: branch as BranchName,
          at: undefined,
          caller: world.caller,
          query,
          variables,
          operationName: undefined,
          requestId: 'x',
        });
        if (answer.errors.length > 0) failing += 1;
        expect(answer.text).toBe(await byGraphqlJs(query, variables, branch as BranchName));
      },
    ),
    {numRuns: 100},
  );
  expect(compared).toBeGreaterThan(50);
  expect(failing).toBeGreaterThan(2);
});
