export type MetricLabels = Readonly<Record<string, string>>;

interface MetricRow {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

export interface Sample {
  readonly value: number;
  readonly labels?: MetricLabels;
}

/** Read when somebody looks, so that what is measured pays nothing. */
export interface SampledRow extends MetricRow {
  /** `counter`: it only ever grows. */
  readonly is: 'counter' | 'gauge';
  read(): readonly Sample[] | Promise<readonly Sample[]>;
}

/** The line of a counter or gauge with certain labels. */
export interface Count {
  add(by?: number): void;
}

/** The lines of a histogram with certain labels. */
export interface Spread {
  observe(value: number): void;
}

/** A number under one name, for each combination of labels. Whoever counts often keeps what `at` gave. */
export interface Labelled<Line> {
  at(labels?: MetricLabels): Line;
}

/**
 * Numbers about what the service does, for whoever watches it. A label has few values: never an id, a name that a
 * caller made up, or a text of a request.
 */
export interface Metrics {
  counter(row: MetricRow): Labelled<Count>;
  gauge(row: MetricRow): Labelled<Count>;
  histogram(row: MetricRow & {readonly buckets: readonly number[]}): Labelled<Spread>;
  sampled(row: SampledRow): void;
}

const NO_LINE = {at: () => ({add() {}, observe() {}})};

/** For parts that nobody watches. */
export const NO_METRICS: Metrics = {
  counter: () => NO_LINE,
  gauge: () => NO_LINE,
  histogram: () => NO_LINE,
  sampled() {},
};
