import {graphStoreContract} from '../../ports/graph-store-contract.ts';
import {postgresHarness} from './postgres-harness.ts';

graphStoreContract('PostgreSQL', postgresHarness());
