import type {Figure} from '../measure.ts';

export function formatValue(unit: Figure['unit'], value: number): string {
  if (unit === 'perSecond') return `${precise(value)}/s`;
  if (unit === 'bytes') {
    if (value >= 1e6) return `${precise(value / 1e6)} MB`;
    return value >= 1e3 ? `${precise(value / 1e3)} kB` : `${precise(value)} B`;
  }
  if (value >= 1e6) return `${precise(value / 1e6)} s`;
  return value >= 1e3 ? `${precise(value / 1e3)} ms` : `${precise(value)} µs`;
}

export const formatFigure = ({unit, value, p99}: Figure): string =>
  formatValue(unit, value) + (p99 === undefined ? '' : ` (${formatValue(unit, p99)})`);

const grouped = (value: number): string => Math.round(value).toLocaleString('en-US');

const precise = (value: number): string =>
  value >= 100 ? grouped(value) : value.toFixed(value >= 10 ? 1 : 2);

/** First column left, the others right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, place) => (place === 0 ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  );
}
