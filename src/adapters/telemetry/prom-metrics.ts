import {Counter, collectDefaultMetrics, Gauge, Histogram, Registry} from 'prom-client';
import type {Metrics} from '../../ports/metrics.ts';

export interface PromMetrics extends Metrics {
  readonly contentType: string;
  /** Everything measured so far, in the text format of Prometheus. */
  text(): Promise<string>;
}

/** Numbers for Prometheus, those of the process included. */
export function promMetrics(): PromMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({register: registry});
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    counter({name, help, labels = []}) {
      const counter = new Counter({name, help, labelNames: labels, registers});
      return {add: (values, by = 1) => counter.inc(values, by)};
    },
    gauge({name, help, labels = []}) {
      const gauge = new Gauge({name, help, labelNames: labels, registers});
      return {add: (values, by) => gauge.inc(values, by)};
    },
    histogram({name, help, labels = [], buckets}) {
      const histogram = new Histogram({name, help, labelNames: labels, buckets: [...buckets], registers});
      return {observe: (values, value) => histogram.observe(values, value)};
    },
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
