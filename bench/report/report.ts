import type {Figure} from '../measure.ts';
import {DESIGN, DESIGN_SET, DESIGN_SIZE} from './design.ts';
import {formatFigure, formatValue, table} from './format.ts';
import {exponent} from './growth.ts';
import {peerTables} from './peer-tables.ts';
import {find, type Section, timesLimit, worth} from './section.ts';

/** The figures of a section, each name once; those of peers have tables of their own. */
function namesOf({runs}: Section): readonly Figure[] {
  const names = new Map<string, Figure>();
  for (const {figures} of runs) for (const figure of figures) names.set(figure.name, figure);
  return [...names.values()].filter(figure => figure.beside === undefined);
}

export function sectionText(section: Section): string {
  const {title, description, runs} = section;
  const names = namesOf(section);
  const sizes = runs.map(({size}) => size.toLocaleString('en-US'));
  const row = (name: string, isLimit: boolean) => {
    const found = runs.map(({figures}) => find(figures, name));
    const grown = growthOf(section, name);
    const ratios = runs.map(({figures}, place) => {
      const ratio = found[place] === undefined ? undefined : timesLimit(figures, found[place]);
      return ratio === undefined ? '' : ratio.toFixed(2);
    });
    const values = found.map(figure => (figure === undefined ? '' : formatFigure(figure)));
    return [name, ...values, grown === undefined ? '' : grown.toFixed(2), ...(isLimit ? [] : ratios)];
  };
  const rows = (isLimit: boolean) =>
    names.filter(item => (item.isLimit ?? false) === isLimit).map(item => row(item.name, isLimit));
  const operations = rows(false);
  const limits = rows(true);
  const parts = [`## ${title}`, `${description}.`];
  if (operations.length > 0) {
    const ratioHead = sizes.map(size => `x limit, ${size}`);
    parts.push(table(['operation: median (p99)', ...sizes, 'exponent', ...ratioHead], operations));
  }
  if (limits.length > 0) {
    parts.push('### Its limits', table(['limit: median (p99)', ...sizes, 'exponent'], limits));
    parts.push(limitsText(names));
  }
  return [...parts, ...peerTables(section)].join('\n\n');
}

/** How a figure grows with the size: the fitted exponent of its time. */
export function growthOf({runs}: Section, name: string): number | undefined {
  return exponent(
    runs.flatMap(({size, figures}) => {
      const figure = find(figures, name);
      return figure === undefined ? [] : [[size, worth(figure)] as const];
    }),
  );
}

function limitsText(names: readonly Figure[]): string {
  const lines = names
    .filter(figure => figure.limits !== undefined)
    .map(figure => `- ${figure.name}: ${figure.limits!.join(' + ')}`);
  return ['What each operation is held against:', lines.join('\n')].join('\n\n');
}

export function designTable(sections: readonly Section[]): string | undefined {
  const runs = sections.find(({name}) => name === DESIGN_SET)?.runs;
  const figures = runs?.find(({size}) => size === DESIGN_SIZE)?.figures;
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
