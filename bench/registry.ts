import type {Family} from './bench.ts';
import type {DataSet} from './data-sets/data-set.ts';
import {layoutSet} from './data-sets/layout-set.ts';
import {networkSet} from './data-sets/network-set.ts';
import {artifacts} from './operations/artifacts.ts';
import {branch} from './operations/branch.ts';
import {bulk} from './operations/bulk.ts';
import {count} from './operations/count.ts';
import {diff} from './operations/diff.ts';
import {events} from './operations/events.ts';
import {files} from './operations/files.ts';
import {get} from './operations/get.ts';
import {http} from './operations/http.ts';
import {list} from './operations/list.ts';
import {merge} from './operations/merge.ts';
import {mixed} from './operations/mixed.ts';
import {mutations} from './operations/mutations.ts';
import {nested} from './operations/nested.ts';
import {open} from './operations/open.ts';
import {peers} from './operations/peers.ts';
import {postgres} from './operations/postgres.ts';
import {schema} from './operations/schema.ts';
import {servers} from './operations/servers.ts';
import {soak} from './operations/soak.ts';
import {start} from './operations/start.ts';
import {task} from './operations/task.ts';
import {watching} from './operations/watching.ts';
import {write} from './operations/write.ts';

/** In the order they run: those that read come before those that write. */
export const FAMILIES: readonly Family[] = [
  get,
  list,
  nested,
  count,
  diff,
  open,
  branch,
  write,
  bulk,
  schema,
  merge,
  task,
  files,
  artifacts,
  http,
  mutations,
  mixed,
  peers,
  events,
  postgres,
  servers,
  start,
  watching,
  soak,
];

export const DATA_SETS: readonly DataSet[] = [layoutSet, networkSet];
