import {afterAll, expect, test} from 'vitest';
import {builtinSource} from '../../domain/schema/builtin/builtin-source.ts';
import {planLoad} from '../../domain/schema/plan-load.ts';
import {ThreadedPlanner} from './threaded-planner.ts';

const BASE = ['body', 'schemas'];
const planner = new ThreadedPlanner();
afterAll(() => planner.close());

/** Large enough to be planned on another thread. */
const documents = (peer: (index: number) => string, description = 'x'.repeat(100)) => [
  {
    version: '1.0',
    generics: [
      {namespace: 'Infra', name: 'Thing', generate_template: true, attributes: [{name: 'one', kind: 'Text'}]},
    ],
    nodes: Array.from({length: 400}, (_, index) => ({
      namespace: 'Infra',
      name: `Kind${index}`,
      inherit_from: ['InfraThing'],
      display_labels: ['one__value'],
      attributes: ['two', 'three', 'four'].map(name => ({name, kind: 'Text', optional: true, description})),
      relationships: [{name: 'next', peer: peer(index), cardinality: 'one', identifier: `next__${index}`}],
    })),
  },
];

test('a large document is planned elsewhere, with the same result', async () => {
  const large = documents(index => `InfraKind${(index + 1) % 400}`);
  const there = await planner.plan(builtinSource(), large, BASE);
  const here = planLoad(builtinSource(), large, BASE);
  expect(there).toEqual(here);
  expect(here.is).toBe('changed');
  if (there.is !== 'changed') return;
  expect(await planner.plan(there.source, large, BASE)).toEqual({is: 'unchanged', warnings: there.warnings});
  const device = there.schema.nodes.get('InfraKind7');
  expect(device?.fields.get('two')).toBe(device?.attributes.find(({name}) => name === 'two'));
});

test('what is wrong with a large document is told', async () => {
  const large = documents(() => 'InfraNowhere');
  expect(await planner.plan(builtinSource(), large, BASE)).toEqual(planLoad(builtinSource(), large, BASE));
});

test('several are planned one after the other, and a small one need not wait', async () => {
  const large = documents(index => `InfraKind${index}`);
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  await Promise.all([
    planner.plan(builtinSource(), large, BASE).then(note('one')),
    planner.plan(builtinSource(), large, BASE).then(note('two')),
    planner.plan(builtinSource(), [{version: '1.0'}], BASE).then(note('small')),
  ]);
  expect(order).toEqual(['small', 'one', 'two']);
});

test('a planner that is closed takes on nothing large, and lets nobody wait', async () => {
  const closing = new ThreadedPlanner();
  const large = documents(index => `InfraKind${index}`);
  const interrupted = closing.plan(builtinSource(), large, BASE);
  const refused = expect(interrupted).rejects.toMatchObject({code: 'UNAVAILABLE'});
  await new Promise(resolve => setImmediate(resolve));
  await closing.close();
  await refused;
  await expect(closing.plan(builtinSource(), large, BASE)).rejects.toMatchObject({code: 'UNAVAILABLE'});
});
