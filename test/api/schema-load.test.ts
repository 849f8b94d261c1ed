import {describe, expect, test} from 'vitest';
import {kind, openWorld, text} from './schema-world.ts';

const DEVICE = {nodes: [kind('Device', {attributes: [text('name', {unique: true})]})]};

describe('POST /api/schema/load', () => {
  test('loads a schema, answers what changed, and says so only once', async () => {
    const world = await openWorld();
    const previous = await world.hash();
    const first = await world.load(DEVICE);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      hash: await world.hash(),
      previous_hash: previous,
      diff: {added: {InfraDevice: {added: {}, changed: {}, removed: {}}}, changed: {}, removed: {}},
      warnings: [],
      schema_updated: true,
    });
    const again = await world.load(DEVICE);
    expect(again.body).toEqual({
      hash: first.body.hash,
      previous_hash: first.body.hash,
      diff: {added: {}, changed: {}, removed: {}},
      warnings: [],
      schema_updated: false,
    });
    expect(await world.problems()).toEqual([]);
  });
});
