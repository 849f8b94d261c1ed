import type {Count, Labelled, MetricLabels, Spread} from '../../ports/metrics.ts';

/** A number as the registry writes it out. */
export interface WrittenValue {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  readonly metricName?: string;
}

/** What the registry asks of a metric when somebody looks. */
interface WrittenMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator: 'sum';
  readonly values: readonly WrittenValue[];
}

interface Line {
  values(name: string, labels: MetricLabels): readonly WrittenValue[];
}

/**
 * A metric whose lines are kept at hand: the registry's own look the labels up, sort and join them, every time that
 * something is counted.
 */
export class LabelledLines<Made extends Line> implements Labelled<Made> {
  readonly name: string;
  readonly #help: string;
  readonly #type: string;
  readonly #names: readonly string[];
  readonly #make: () => Made;
  readonly #lines = new Map<string, {readonly labels: MetricLabels; readonly line: Made}>();

  constructor(
    row: {readonly name: string; readonly help: string; readonly labels?: readonly string[]},
    type: string,
    make: () => Made,
  ) {
    this.name = row.name;
    this.#help = row.help;
    this.#type = type;
    this.#names = row.labels ?? [];
    this.#make = make;
    if (this.#names.length === 0) this.at();
  }

  at(labels: MetricLabels = {}): Made {
    const key = this.#names.map(name => labels[name] ?? '').join('\n');
    const known = this.#lines.get(key);
    if (known !== undefined) return known.line;
    const line = this.#make();
    this.#lines.set(key, {labels, line});
    return line;
  }

  async get(): Promise<WrittenMetric> {
    const values = [...this.#lines.values()].flatMap(({labels, line}) => line.values(this.name, labels));
    return {name: this.name, help: this.#help, type: this.#type, aggregator: 'sum', values};
  }
}

export class CountLine implements Count, Line {
  #value = 0;

  add(by = 1): void {
    this.#value += by;
  }

  values(_name: string, labels: MetricLabels): readonly WrittenValue[] {
    return [{labels, value: this.#value}];
  }
}

export class SpreadLine implements Spread, Line {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({length: bounds.length + 1}, () => 0);
  }

  observe(value: number): void {
    let place = 0;
    while (place < this.#bounds.length && value > this.#bounds[place]!) place += 1;
    this.#counts[place]! += 1;
    this.#sum += value;
  }

  /** Each bucket holds those before it. */
  values(name: string, labels: MetricLabels): readonly WrittenValue[] {
    let count = 0;
    const buckets = this.#counts.map((own, place) => {
      count += own;
      return {
        labels: {le: this.#bounds[place] ?? '+Inf', ...labels},
        value: count,
        metricName: `${name}_bucket`,
      };
    });
    return [
      ...buckets,
      {labels, value: this.#sum, metricName: `${name}_sum`},
      {labels, value: count, metricName: `${name}_count`},
    ];
  }
}
