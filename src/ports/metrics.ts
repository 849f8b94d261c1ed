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

export interface Counter {
  add(labels: MetricLabels, by?: number): void;
}

export interface Gauge {
  add(labels: MetricLabels, by: number): void;
}

export interface Histogram {
  observe(labels: MetricLabels, value: number): void;
}

/**
 * Numbers about what the service does, for whoever watches it. A label has few values: never an id, a name that a
 * caller made up, or a text of a request.
 */
export interface Metrics {
  counter(row: MetricRow): Counter;
  gauge(row: MetricRow): Gauge;
  histogram(row: MetricRow & {readonly buckets: readonly number[]}): Histogram;
  sampled(row: SampledRow): void;
}

/** For parts that nobody watches. */
export const NO_METRICS: Metrics = {
  counter: () => ({add() {}}),
  gauge: () => ({add() {}}),
  histogram: () => ({observe() {}}),
  sampled() {},
};
