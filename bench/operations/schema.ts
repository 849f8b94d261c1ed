import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {systemClock} from '../../src/adapters/clock/system-clock.ts';
import {timeOrderedIds} from '../../src/adapters/ids/time-ordered-ids.ts';
import {ThreadedPlanner} from '../../src/adapters/schema-planner/threaded-planner.ts';
import {openSqliteGraphStore} from '../../src/adapters/sqlite/sqlite-graph-store.ts';
import {prepareGraph} from '../../src/app/first-start/prepare-graph.ts';
import {addDropdownChoice} from '../../src/app/schema/change-choices.ts';
import {loadSchema} from '../../src/app/schema/load-schema.ts';
import {processedSchemas} from '../../src/app/schema/processed-schemas.ts';
import {FULL_ACCESS} from '../../src/domain/access/access.ts';
import {chosen, MAIN, SERVICE} from '../../src/ports/graph-store-fixtures.ts';
import type {ServiceFamily, Workplace} from '../bench.ts';
import {idOf} from '../data-sets/data-set.ts';
import {time, timed} from '../measure.ts';

const KINDS = 100;
const OBJECTS_MAX = 50_000;
const OBJECTS_PER_COMMIT = 1_000;
const CALLER = {account: null, access: FULL_ACCESS};

const TEXTS = ['name', 'serial', 'comment', 'owner_name', 'contact', 'asset_tag', 'purpose'] as const;

/** A hundred kinds of eight attributes and two relationships each. */
const NODES = Array.from({length: KINDS}, (_, place) => ({
  namespace: 'Bench',
  name: `Kind${place}`,
  attributes: [
    ...TEXTS.map(name => ({name, kind: 'Text', unique: name === 'name', optional: name !== 'name'})),
    {name: 'status', kind: 'Dropdown', optional: true, choices: [{name: 'up'}, {name: 'down'}]},
  ],
  relationships: [
    {name: 'tags', peer: 'BuiltinTag', identifier: `kind${place}__tags`},
    {name: 'next', peer: `BenchKind${(place + 1) % KINDS}`, cardinality: 'one', identifier: `next__${place}`},
  ],
}));

/** What users wait for when they change the shape of their data. */
export const schema: ServiceFamily = {
  name: 'schema',
  on: 'nothing',
  async run(bench) {
    const [starts, loads] = [[] as number[], [] as number[]];
    for (let round = 0; round < 6; round += 1) {
      const service = await openEmpty(bench, round);
      const once = {warmUp: 0, roundsMax: 1};
      starts.push(...(await timed(() => prepareGraph(service), once)));
      loads.push(...(await timed(() => load(service, NODES), once)));
      await service.close();
    }
    const service = await openEmpty(bench, 'filled');
    await prepareGraph(service);
    await load(service, NODES);
    const objects = Math.min(OBJECTS_MAX, bench.size);
    await fill(service, objects);
    const rounds = {warmUp: 5, roundsMax: 30, millisMax: 10_000};
    const again = await timed(() => load(service, NODES), rounds);
    const added = await timed(round => load(service, [withAttribute(`added_${round}`)]), rounds);
    const choices = await timed(round => addChoice(service, `choice-${round}`), rounds);
    await service.close();
    return [
      time('schema, first start', starts),
      time(`schema, load of ${KINDS} kinds`, loads),
      time('schema, load of what is there', again),
      time(`schema, attribute with a default on ${objects} objects`, added),
      time('schema, one more choice of a dropdown', choices),
    ];
  },
};

async function openEmpty(bench: Workplace, name: number | string) {
  const folder = join(bench.folder, `schema-${name}`);
  mkdirSync(folder, {recursive: true});
  const store = await openSqliteGraphStore({folder, clock: systemClock, readWorkers: 0});
  const planner = new ThreadedPlanner();
  const close = async () => {
    await planner.close();
    await store.close();
  };
  return {store, planner, schemas: processedSchemas(), ids: timeOrderedIds(systemClock), close};
}

type Service = Awaited<ReturnType<typeof openEmpty>>;

const load = (service: Service, nodes: readonly object[]) =>
  loadSchema(service, CALLER, {branch: MAIN, payload: [{version: '1.0', nodes}]});

const withAttribute = (name: string) => ({
  namespace: 'Bench',
  name: 'Kind0',
  attributes: [{name, kind: 'Text', default_value: 'none'}],
});

const addChoice = (service: Service, name: string) =>
  addDropdownChoice(service, CALLER, {branch: MAIN, kind: 'BenchKind0', attribute: 'status', choice: {name}});

async function fill({store}: Service, objects: number): Promise<void> {
  for (let from = 0; from < objects; from += OBJECTS_PER_COMMIT) {
    await store.write(MAIN, SERVICE, async draft => {
      for (let index = from; index < Math.min(objects, from + OBJECTS_PER_COMMIT); index += 1) {
        const attributes = chosen({name: `object-${index}`, status: index % 2 === 0 ? 'up' : 'down'});
        await draft.create({id: idOf(index), kind: 'BenchKind0', attributes});
      }
    });
  }
}
