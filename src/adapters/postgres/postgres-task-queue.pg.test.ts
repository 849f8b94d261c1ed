import {afterAll} from 'vitest';
import {taskQueueContract} from '../../ports/task-queue-contract.ts';
import {openPostgresGraphStore} from './open-postgres-store.ts';
import {Databases} from './postgres-harness.ts';

const databases = new Databases();
afterAll(() => databases.close());

taskQueueContract('PostgreSQL', async ({clock}) => {
  const url = await databases.take();
  const store = await openPostgresGraphStore({url, clock, connectionsMax: 3});
  return {
    store,
    tasks: store.tasks,
    async close() {
      await store.close();
      databases.give(url);
    },
  };
});
