import {once} from 'node:events';
import {ROLES} from '../data-sets/data-set.ts';
import {siteOf} from '../data-sets/service-set.ts';

/* The others that a reader shares the service with: until told that it is enough, they scan, merge and load. */

interface Task {
  readonly address: string;
  readonly key: string;
  readonly branches: readonly string[];
  readonly size: number;
}

const BULK = 1_000;
const SCANNERS = 2;
const SCANS = [
  `{ BenchDevice(limit: 1000) { edges { node { id name { value }
     interfaces(limit: 10) { edges { node { id name { value } } } } } } } }`,
  '{ BenchInterface(any__value: "no such word", partial_match: true, limit: 20) { edges { node { id } } } }',
];
const CREATE_MANY = `mutation ($data: [BenchDeviceCreateInput!]!) { BenchDeviceCreateMany(data: $data) { count } }`;

const [task] = (await once(process, 'message')) as [Task];
let isEnough = false;
const done = {scans: 0, 'objects loaded': 0, merges: 0};

async function ask(query: string, variables: object = {}): Promise<void> {
  const response = await fetch(`${task.address}/graphql`, {
    method: 'POST',
    headers: {'content-type': 'application/json', 'accept-encoding': 'identity', 'x-api-key': task.key},
    body: JSON.stringify({query, variables}),
  });
  const text = await response.text();
  if (text.includes('"errors"')) throw new Error(text.slice(0, 500));
}

async function scan(first: number): Promise<void> {
  for (let round = first; !isEnough; round += 1) {
    await ask(SCANS[round % SCANS.length]!);
    done.scans += 1;
  }
}

async function merge(): Promise<void> {
  for (const name of task.branches) {
    if (isEnough) return;
    await ask('mutation ($data: BranchMergeInput!) { BranchMerge(data: $data) { ok } }', {data: {name}});
    done.merges += 1;
  }
}

async function loadObjects(): Promise<void> {
  for (let serial = 0; !isEnough; serial += BULK) {
    const data = Array.from({length: BULK}, (_, place) => ({
      name: {value: `mixed-${serial + place}`},
      role: {value: ROLES[place % ROLES.length]!},
      site: {id: siteOf(place % 100)},
    }));
    await ask(CREATE_MANY, {data});
    done['objects loaded'] += BULK;
  }
}

const work = [...Array.from({length: SCANNERS}, (_, place) => scan(place)), merge(), loadObjects()];
process.send!('begun');
await once(process, 'message');
isEnough = true;
const soFar = {...done};
await Promise.all(work);
process.send!(soFar);
process.disconnect();
