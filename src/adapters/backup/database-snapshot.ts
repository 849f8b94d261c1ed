import {Worker} from 'node:worker_threads';
import {must} from '../../base/assert.ts';
import type {Instant} from '../../domain/time/instant.ts';
import {read} from '../sql/statement.ts';
import {Connection} from '../sqlite/connection.ts';

export interface SnapshotFacts {
  readonly commit: Instant;
  readonly deploymentId: string;
}

/** Copies the database as it is at one commit, on a thread of its own: neither readers nor writers wait. */
export async function snapshotDatabase(from: string, to: string): Promise<SnapshotFacts> {
  const worker = new Worker(new URL('./snapshot-worker.ts', import.meta.url), {workerData: {from, to}});
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', code => (code === 0 ? resolve() : reject(new Error(`the copy ended with ${code}`))));
  });
  const copy = new Connection(to, {readOnly: true});
  try {
    const [last] = copy.run(read('SELECT max(ts) FROM commits', []));
    const [id] = copy.run(read("SELECT value FROM meta WHERE key = 'deployment_id'", []));
    return {
      commit: Number(last?.[0] ?? 0) as Instant,
      deploymentId: String(must(id, 'the id of the deployment')[0]),
    };
  } finally {
    copy.close();
  }
}
