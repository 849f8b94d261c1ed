import {expect, test} from 'vitest';
import {labelFromName} from './title-case.ts';

test.each([
  ['atl1_edge-router', 'Atl1 Edge-Router'],
  ['ATL1', 'Atl1'],
  ['3com switch', '3Com Switch'],
  ['éclair_ß', 'Éclair Ss'],
  ['', ''],
  ['__', '  '],
])('%s is shown as %s', (name, label) => {
  expect(labelFromName(name)).toBe(label);
});
