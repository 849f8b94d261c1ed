import type {StoreFigures} from '../adapters/sqlite/store-watch.ts';
import type {Metrics, SampledRow} from '../ports/metrics.ts';
import type {ServiceStore} from './service-store.ts';

interface FigureRow extends Pick<SampledRow, 'is' | 'name' | 'help'> {
  of(figures: StoreFigures): number;
}

const ROWS: readonly FigureRow[] = [
  {
    is: 'gauge',
    name: 'store_writes_waiting',
    help: 'Writes that wait for the writer.',
    of: figures => figures.writesWaiting,
  },
  {
    is: 'gauge',
    name: 'store_reads_waiting',
    help: 'Heavy reads that wait for a thread or run in one.',
    of: figures => figures.readsWaiting,
  },
  {
    is: 'gauge',
    name: 'store_database_bytes',
    help: 'Size of the database.',
    of: figures => figures.databaseBytes,
  },
  {
    is: 'gauge',
    name: 'store_log_bytes',
    help: 'Size of the write-ahead log.',
    of: figures => figures.logBytes,
  },
  {
    is: 'gauge',
    name: 'cache_documents',
    help: 'Versions of objects that are kept in memory.',
    of: figures => figures.documentsCached,
  },
  {
    is: 'counter',
    name: 'cache_document_hits_total',
    help: 'Versions that were found in memory.',
    of: figures => figures.documentHits,
  },
  {
    is: 'counter',
    name: 'cache_document_misses_total',
    help: 'Versions that had to be read.',
    of: figures => figures.documentMisses,
  },
];

/** How the store and its cache are doing. */
export function measureStore(metrics: Metrics, store: Pick<ServiceStore, 'figures' | 'branches'>): void {
  for (const {is, name, help, of} of ROWS) {
    metrics.sampled({is, name, help, read: async () => [{value: of(await store.figures())}]});
  }
  metrics.sampled({
    is: 'gauge',
    name: 'store_branches',
    help: 'Branches there are.',
    read: async () => [{value: (await store.branches()).length}],
  });
}
