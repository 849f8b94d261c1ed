import {table} from './format.ts';
import {peerRows, timesAsFast, whoOf} from './peer-tables.ts';
import {growthOf} from './report.ts';
import {find, type Section, timesLimit, worth} from './section.ts';

/** The size that the targets are set for, and how flat "flat" is. */
const SIZE = 200_000;
const FLAT = 0.1;

interface Target {
  readonly what: string;
  readonly wanted: {readonly least: number} | {readonly most: number};
  readonly unit: '%' | 'x' | 'ms' | '';
  of(sections: readonly Section[]): number | undefined;
}

const runOf = (sections: readonly Section[], name: string) =>
  sections.find(section => section.name === name)?.runs.find(({size}) => size === SIZE);

/** The share of its limit that an operation of the service reaches, in percent. */
const share = (name: string) => (sections: readonly Section[]) => {
  const ratio = times(name)(sections);
  return ratio === undefined ? undefined : 100 / ratio;
};

const times = (name: string) => (sections: readonly Section[]) => {
  const figures = runOf(sections, 'service')?.figures;
  const figure = find(figures, name);
  return figures === undefined || figure === undefined ? undefined : timesLimit(figures, figure);
};

/** How fast one operation is, in percent of another. */
const beside = (name: string, other: string) => (sections: readonly Section[]) => {
  const figures = runOf(sections, 'service')?.figures;
  const [one, two] = [find(figures, name), find(figures, other)];
  return one === undefined || two === undefined ? undefined : (100 * worth(two)) / worth(one);
};

const peer = (question: string, like: string) => (sections: readonly Section[]) => {
  const run = runOf(sections, 'service');
  const rows = run === undefined ? [] : peerRows(run, 'speed');
  const name = whoOf(rows).find(who => who.startsWith(like));
  const row = rows.find(item => item.question === question);
  return name === undefined || row === undefined ? undefined : timesAsFast(row, name);
};

const growth = (section: string, name: string) => (sections: readonly Section[]) => {
  const found = sections.find(item => item.name === section);
  return found === undefined ? undefined : growthOf(found, name);
};

const slowest = (name: string) => (sections: readonly Section[]) => {
  const p99 = find(runOf(sections, 'service')?.figures, name)?.p99;
  return p99 === undefined ? undefined : p99 / 1000;
};

/** What an operation of the service takes, in milliseconds. */
const millis = (name: string) => (sections: readonly Section[]) => {
  const figure = find(runOf(sections, 'service')?.figures, name);
  return figure === undefined ? undefined : worth(figure) / 1000;
};

/** What an operation takes, and what is wanted of it. */
const MILLIS_WANTED: readonly (readonly [name: string, most: number])[] = [
  ['branch create, as a verb', 2],
  ['diff of 100 changes, as a verb', 5],
  ['conflict check of 100 changes', 5],
  ['diff of 2,000 changes, as a verb', 60],
  ['conflict check of 2,000 changes', 60],
  ['merge of 100 changes', 15],
  ['merge of 10,000 changes', 800],
  ['rebase of 100 changes', 15],
  ['rebase of 10,000 changes', 800],
  ...['100', '2,000', '10,000'].flatMap((count): [string, number][] =>
    ['merge', 'rebase'].map(verb => [`longest wait of a writer during a ${verb} of ${count}`, 50]),
  ),
];

const LIST = 'HTTP, list of 50, 8 clients';
const POINT = 'HTTP, node by id, 8 clients';

export const TARGETS: readonly Target[] = [
  ...MILLIS_WANTED.map(
    ([name, most]): Target => ({what: name, wanted: {most}, unit: 'ms', of: millis(name)}),
  ),
  {what: 'node by id, of a bare reply', wanted: {least: 60}, unit: '%', of: share(POINT)},
  {what: 'list of 50, of a bare reply', wanted: {least: 30}, unit: '%', of: share(LIST)},
  {
    what: 'list of 50, times the answers of PostGraphile',
    wanted: {least: 3},
    unit: 'x',
    of: peer('list of 50, filter and order', 'PostGraphile'),
  },
  {
    what: '1,000 x 10, times raw statements and JSON.stringify',
    wanted: {most: 2},
    unit: 'x',
    of: times('HTTP, 1,000 x 10, one client'),
  },
  ...(['branch', 'past'] as const).flatMap((place): readonly Target[] => [
    {
      what: `node by id, ${place}, of main`,
      wanted: {least: 70},
      unit: '%',
      of: beside(`HTTP, node by id, ${place}, 8 clients`, POINT),
    },
    {
      what: `list of 50, ${place}, of main`,
      wanted: {least: 70},
      unit: '%',
      of: beside(`HTTP, list of 50, ${place}, 8 clients`, LIST),
    },
  ]),
  {
    what: 'create by 32 clients, of raw inserts 32 per commit',
    wanted: {least: 60},
    unit: '%',
    of: share('API, create, 32 clients'),
  },
  ...(['10,000', '100,000'] as const).map(
    (count): Target => ({
      what: `bulk of ${count} through the API, of raw inserts`,
      wanted: {least: 60},
      unit: '%',
      of: share(`API, bulk of ${count}, objects`),
    }),
  ),
  {
    what: 'p99 of a point read while scans, merges and a bulk load run',
    wanted: {most: 10},
    unit: 'ms',
    of: slowest('point read while scans, merges and a bulk load run'),
  },
  ...(
    [
      ['layout', 'get by id, main'],
      ['layout', 'branch create'],
      ['layout', 'diff of 2,000 changes'],
      ['service', 'merge of 100 changes'],
    ] as const
  ).map(
    ([section, name]): Target => ({
      what: `growth of "${name}" with the data, exponent`,
      wanted: {most: FLAT},
      unit: '',
      of: growth(section, name),
    }),
  ),
];

/** What was promised beside what was measured; rows of what was not measured are left out. */
export function targetsTable(sections: readonly Section[]): string | undefined {
  const rows = TARGETS.flatMap(target => {
    const value = target.of(sections);
    if (value === undefined || !Number.isFinite(value)) return [];
    const {wanted, unit} = target;
    const words = 'least' in wanted ? `at least ${wanted.least}` : `at most ${wanted.most}`;
    return [
      [
        target.what,
        `${words} ${unit}`.trim(),
        `${shown(value)} ${unit}`.trim(),
        isMet(target, value) ? 'met' : 'missed',
      ],
    ];
  });
  return rows.length === 0 ? undefined : table(['target, 200,000 objects', 'wanted', 'measured', ''], rows);
}

export const isMet = ({wanted}: Pick<Target, 'wanted'>, value: number): boolean =>
  'least' in wanted ? value >= wanted.least : value <= wanted.most;

const shown = (value: number): string => (Math.abs(value) >= 10 ? value.toFixed(0) : value.toFixed(2));
