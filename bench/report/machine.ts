import {availableParallelism, cpus, loadavg, totalmem} from 'node:os';

/** What the figures depend on, and nothing that names the machine. */
export function machine(): string {
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  return `${availableParallelism()} cores (${model}), ${process.arch}, ${process.platform}, ${gibibytes} GiB of memory, Node ${process.versions.node}, SQLite ${process.versions.sqlite}`;
}

export const load = (): string => loadavg()[0]!.toFixed(1);
