import {workerData} from 'node:worker_threads';
import {Connection} from '../sqlite/connection.ts';

const {from, to} = workerData as {readonly from: string; readonly to: string};

// One statement in one read transaction: what others commit meanwhile is not in the copy, and never makes it begin again.
const connection = new Connection(from, {readOnly: true});
connection.exec(`VACUUM INTO '${to.replaceAll("'", "''")}'`);
connection.close();
