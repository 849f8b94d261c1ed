import type {TestProject} from 'vitest/node';
import {startPostgres} from '../../src/adapters/postgres/postgres-server-harness.ts';

/** One server for all test files of a run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide('postgresUrl', server.urlOf('postgres'));
  return () => server.stop();
}
