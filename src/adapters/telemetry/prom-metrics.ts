import {Counter, collectDefaultMetrics, Gauge, Registry} from 'prom-client';
import type {Metrics} from '../../ports/metrics.ts';
import {CountLine, LabelledLines, SpreadLine} from './lines.ts';

export interface PromMetrics extends Metrics {
  readonly contentType: string;
  /** Everything measured so far, in the text format of Prometheus. */
  text(): Promise<string>;
}

/** Numbers for Prometheus, those of the process included. */
export function promMetrics(): PromMetrics {
  const registry = new Registry();
  // The registry takes whatever tells its name and, when asked, its values; its type knows only its own kinds.
  const registered = <Metric extends {readonly name: string}>(metric: Metric): Metric => {
    registry.registerMetric(metric as unknown as Parameters<typeof registry.registerMetric>[0]);
    return metric;
  };
  collectDefaultMetrics({register: registry});
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    counter: row => registered(new LabelledLines(row, 'counter', () => new CountLine())),
    gauge: row => registered(new LabelledLines(row, 'gauge', () => new CountLine())),
    histogram: row => registered(new LabelledLines(row, 'histogram', () => new SpreadLine(row.buckets))),
    sampled({is, name, help, labels = [], read}) {
      const options = {name, help, labelNames: labels, registers: []};
      const gauge = () =>
        new Gauge({
          ...options,
          async collect() {
            this.reset();
            for (const {labels: values = {}, value} of await read()) this.set(values, value);
          },
        });
      const counter = () =>
        new Counter({
          ...options,
          async collect() {
            this.reset();
            for (const {labels: values = {}, value} of await read()) this.inc(values, value);
          },
        });
      registry.registerMetric<string>(is === 'gauge' ? gauge() : counter());
    },
  };
}
