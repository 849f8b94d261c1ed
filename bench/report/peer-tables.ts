import type {Figure} from '../measure.ts';
import {formatValue, table} from './format.ts';
import type {Section, SizedRun} from './section.ts';

export const US = 'Trellis';

/** One question, and what each program that was asked it did. */
export interface PeerRow {
  readonly question: string;
  readonly unit: Figure['unit'];
  readonly values: ReadonlyMap<string, number>;
}

export function peerRows({figures}: SizedRun, measure: 'speed' | 'processor'): readonly PeerRow[] {
  const rows = new Map<string, {unit: Figure['unit']; values: Map<string, number>}>();
  for (const {beside, unit, value} of figures) {
    if (beside?.measure !== measure) continue;
    const row = rows.get(beside.question) ?? {unit, values: new Map()};
    row.values.set(beside.who, value);
    rows.set(beside.question, row);
  }
  return [...rows].map(([question, row]) => ({question, ...row}));
}

/** How many times as fast we are as a peer; below 1 the peer is faster. */
export function timesAsFast({unit, values}: PeerRow, peer: string): number | undefined {
  const [ours, theirs] = [values.get(US), values.get(peer)];
  if (ours === undefined || theirs === undefined) return undefined;
  return unit === 'perSecond' ? ours / theirs : theirs / ours;
}

/** Everybody that was asked, in the order they were asked. */
export const whoOf = (rows: readonly PeerRow[]): readonly string[] => [
  ...new Set(rows.flatMap(row => [...row.values.keys()])),
];

const MEASURES = [
  ['speed', 'Answers per second'],
  ['processor', 'Processor time of all server processes for one answer'],
] as const;

export function peerTables({runs}: Section): readonly string[] {
  return runs.flatMap(run =>
    MEASURES.flatMap(([measure, title]) => {
      const rows = peerRows(run, measure);
      if (rows.length === 0) return [];
      const who = whoOf(rows);
      const peers = who.filter(name => name !== US);
      const head = ['question', ...who, ...peers.map(peer => `${US} / ${peer}`)];
      const lines = rows.map(row => [
        row.question,
        ...who.map(name => valueText(row, name)),
        ...peers.map(peer => timesAsFast(row, peer)?.toFixed(2) ?? ''),
      ]);
      return [
        `### Beside the peers, ${run.size.toLocaleString('en-US')} objects: ${title}`,
        table(head, lines),
      ];
    }),
  );
}

function valueText({unit, values}: PeerRow, name: string): string {
  const value = values.get(name);
  return value === undefined ? '' : formatValue(unit, value);
}
