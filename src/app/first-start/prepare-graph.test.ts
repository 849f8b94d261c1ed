import {expect, test} from 'vitest';
import {MAIN, openWorld, text} from '../../../test/api/schema-world.ts';
import {builtinSource} from '../../domain/schema/builtin/builtin-source.ts';
import {deriveSchema} from '../../domain/schema/process/process-schema.ts';
import type {SchemaSource} from '../../domain/schema/source.ts';
import {putRecords} from '../schema/put-schema.ts';
import {recordsOf} from '../schema/schema-records.ts';
import {prepareGraph} from './prepare-graph.ts';

test('a new database has the built-in kinds, from one commit of the service itself', async () => {
  const world = await openWorld();
  const commits = await world.store.commits({branch: MAIN, limit: 10, newestFirst: false});
  expect(commits.map(({author, message}) => [author, message])).toEqual([[null, 'Built-in schema']]);
  expect(await world.hash()).toBe(deriveSchema(builtinSource()).hash);
  expect(await world.problems()).toEqual([]);
});

test('a database that has them is left alone, whatever its users added', async () => {
  const world = await openWorld();
  await world.load({
    nodes: [{namespace: 'Infra', name: 'Device', attributes: [text('name')]}],
    extensions: {nodes: [{kind: 'CoreGroup', attributes: [text('ticket', {optional: true})]}]},
  });
  const hash = await world.hash();
  expect(await prepareGraph(world.deps)).toMatchObject({isUpdated: false, hash});
  expect((await world.store.commits({branch: MAIN, limit: 10, newestFirst: true})).length).toBe(2);
});

test('an older database gets what it lacks, and keeps its objects', async () => {
  const world = await openWorld();
  await world.load({nodes: [{namespace: 'Infra', name: 'Device', attributes: [text('name')]}]});
  const tag = await world.create('BuiltinTag', {name: 'red'});
  const current = await world.hash();
  await world.commit(async draft => {
    const source = older(world.deps.schemas.source(draft));
    await putRecords(draft, recordsOf(source, deriveSchema(source)));
  });
  expect((await world.get('/api/schema/CoreMenuItem')).status).toBe(404);
  const {isUpdated, diff} = await prepareGraph(world.deps);
  expect([isUpdated, Object.keys(diff.added)]).toEqual([true, ['CoreMenuItem']]);
  expect(await world.hash()).toBe(current);
  expect([await world.value(tag, 'name'), await world.value(tag, 'description')]).toEqual(['red', null]);
  expect(await prepareGraph(world.deps)).toMatchObject({isUpdated: false});
  expect(await world.problems()).toEqual([]);
});

/** As if this version had brought a kind and an attribute. */
function older(source: SchemaSource): SchemaSource {
  const kinds = new Map(source.kinds);
  kinds.delete('CoreMenuItem');
  const tag = kinds.get('BuiltinTag')!;
  kinds.set('BuiltinTag', {...tag, attributes: tag.attributes.filter(({name}) => name !== 'description')});
  return {...source, kinds};
}
