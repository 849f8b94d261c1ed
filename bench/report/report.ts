import type {DataSet} from '../data-sets/data-set.ts';
import type {Figure} from '../measure.ts';
import {DESIGN, DESIGN_SET, DESIGN_SIZE} from './design.ts';
import {formatFigure, formatValue, table} from './format.ts';
import {exponent} from './growth.ts';

/** Everything measured of one data set, by size. */
export interface Measured {
  readonly data: DataSet;
  readonly bySize: ReadonlyMap<number, readonly Figure[]>;
}

const find = (figures: readonly Figure[] | undefined, name: string): Figure | undefined =>
  figures?.find(figure => figure.name === name);

/** How many times the limit something takes; for rates, how many times slower it is. */
function timesLimit(figures: readonly Figure[], figure: Figure): number | undefined {
  const limits = figure.limits?.map(name => find(figures, name)?.value);
  if (limits === undefined || limits.includes(undefined)) return undefined;
  const whole = limits.reduce((sum: number, value) => sum + value!, 0);
  return figure.unit === 'perSecond' ? whole / figure.value : figure.value / whole;
}

export function setTables({data, bySize}: Measured): string {
  const sizes = [...bySize.keys()];
  const names = new Map<string, Figure>();
  for (const figures of bySize.values()) for (const figure of figures) names.set(figure.name, figure);
  const head = sizes.map(size => size.toLocaleString('en-US'));
  const row = (name: string, isLimit: boolean) => {
    const found = sizes.map(size => find(bySize.get(size), name));
    const grown = exponent(
      found.flatMap((figure, place) =>
        figure === undefined ? [] : [[sizes[place]!, worth(figure)] as const],
      ),
    );
    const ratios = sizes.map((size, place) => {
      const ratio = found[place] === undefined ? undefined : timesLimit(bySize.get(size)!, found[place]);
      return ratio === undefined ? '' : ratio.toFixed(2);
    });
    const values = found.map(figure => (figure === undefined ? '' : formatFigure(figure)));
    return [name, ...values, grown === undefined ? '' : grown.toFixed(2), ...(isLimit ? [] : ratios)];
  };
  const rows = (isLimit: boolean) =>
    [...names.values()]
      .filter(item => (item.isLimit ?? false) === isLimit)
      .map(item => row(item.name, isLimit));
  const ratioHead = sizes.map(size => `x limit, ${size.toLocaleString('en-US')}`);
  return [
    `## The ${data.name} set`,
    `${data.description}.`,
    table(['operation: median (p99)', ...head, 'exponent', ...ratioHead], rows(false)),
    '### Its limits',
    table(['limit: median (p99)', ...head, 'exponent'], rows(true)),
    limitsText(names),
  ].join('\n\n');
}

/** A rate as a time, so that growth always means slower. */
const worth = (figure: Figure): number => (figure.unit === 'perSecond' ? 1e6 / figure.value : figure.value);

function limitsText(names: ReadonlyMap<string, Figure>): string {
  const lines = [...names.values()]
    .filter(figure => figure.limits !== undefined)
    .map(figure => `- ${figure.name}: ${figure.limits!.join(' + ')}`);
  return ['What each operation is held against:', lines.join('\n')].join('\n\n');
}

export function designTable(measured: readonly Measured[]): string | undefined {
  const figures = measured.find(({data}) => data.name === DESIGN_SET)?.bySize.get(DESIGN_SIZE);
  if (figures === undefined) return undefined;
  const rows = DESIGN.flatMap(([name, unit, value]) => {
    const figure = find(figures, name);
    if (figure === undefined) return [];
    const ratio = unit === 'perSecond' ? value / figure.value : figure.value / value;
    return [[name, formatValue(unit, value), formatValue(unit, figure.value), ratio.toFixed(2)]];
  });
  const head = ['operation', 'prototype', 'here', 'times the prototype (less is better)'];
  return rows.length === 0 ? undefined : table(head, rows);
}
