import {execFileSync} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {startService} from '../../src/main/compose.ts';
import {openStore} from '../../src/main/open-store.ts';
import {readSettings} from '../../src/main/settings/read.ts';
import type {ServiceFamily} from '../bench.ts';
import {SILENT} from './silent-log.ts';

const DEVICES = 1000;
const TEMPLATE_LINES = 200;
const KEY = 'the-key-of-the-bench';
const ENVIRONMENT = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'trellis-python');

const SCHEMA = `version: "1.0"
nodes:
  - name: Device
    namespace: Infra
    inherit_from: [CoreArtifactTarget]
    human_friendly_id: [name__value]
    attributes:
      - {name: name, kind: Text, unique: true}
      - {name: role, kind: Text}
`;
const CONFIG = `schemas: [schema.yml]
queries: [{name: device, file_path: device.gql}]
jinja2_transforms: [{name: device, query: device, template_path: device.j2}]
objects: [objects.yml]
artifact_definitions:
  - {name: device, parameters: {name: name__value}, content_type: text/plain, targets: all, transformation: device}
`;
const QUERY =
  'query ($name: String!) { InfraDevice(name__value: $name) { edges { node { name { value } role { value } } } } }';

function template(): string {
  const lines = Array.from({length: TEMPLATE_LINES - 2}, (_, line) =>
    line % 10 === 0
      ? `{% if device.role.value == "edge" %}line ${line} of an edge{% endif %}`
      : `interface port-${line} of {{ device.name.value | upper }}`,
  );
  return ['{% set device = data.InfraDevice.edges[0].node %}', ...lines, 'end'].join('\n');
}

function objects(): string {
  const names = Array.from({length: DEVICES}, (_, place) => `device-${place}`);
  const devices = names.map(name => `    - {name: ${name}, role: edge}`).join('\n');
  const members = names.map(name => `        - {kind: InfraDevice, hfid: [${name}]}`).join('\n');
  return `kind: Object
spec:
  kind: InfraDevice
  data:
${devices}
---
kind: Object
spec:
  kind: CoreStandardGroup
  data:
    - name: all
      members:
${members}
`;
}

function makeRepository(folder: string): void {
  mkdirSync(folder, {recursive: true});
  const files = {
    '.trellis.yml': CONFIG,
    'schema.yml': SCHEMA,
    'device.gql': QUERY,
    'device.j2': template(),
    'objects.yml': objects(),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@b', ...args], {cwd: folder});
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'bench');
}

/** Artifacts of a 200-line template, from the request to the last of them: queried, rendered, stored, written down. */
export const artifacts: ServiceFamily = {
  name: 'artifacts',
  on: 'nothing',
  async run(bench) {
    const repository = join(bench.folder, 'repository');
    makeRepository(repository);
    const {settings} = readSettings({
      SERVICE_PORT: '0',
      SERVICE_DATA_DIR: join(bench.folder, 'service'),
      SERVICE_INITIAL_ADMIN_TOKEN: KEY,
      SERVICE_GIT_SYNC_INTERVAL: '0',
      SERVICE_PYTHON_ENVIRONMENT: ENVIRONMENT,
    });
    const service = await startService(settings, SILENT, openStore);
    const ask = async (query: string) => {
      const answer = await fetch(`${service.address}/graphql/main`, {
        method: 'POST',
        headers: {'content-type': 'application/json', 'x-service-key': KEY},
        body: JSON.stringify({query}),
      });
      // biome-ignore lint/suspicious/noExplicitAny: an answer has the shape of its document.
      return ((await answer.json()) as any).data;
    };
    const settled = async () => {
      const open = '{ ServiceTask(state: [SCHEDULED, PENDING, RUNNING]) { count } }';
      while ((await ask(open)).ServiceTask.count > 0) await new Promise(resolve => setTimeout(resolve, 25));
    };
    const location = `location: {value: ${JSON.stringify(repository)}}`;
    const start = performance.now();
    await ask(`mutation { CoreRepositoryCreate(data: {name: {value: "bench"}, ${location}}) { ok } }`);
    await settled();
    const imported = (performance.now() - start) / 1000;
    const ready = await ask('{ CoreArtifact(status__value: "Ready") { count } }');
    if (ready.CoreArtifact.count !== DEVICES)
      throw new Error(`${ready.CoreArtifact.count} artifacts are ready`);
    const before = performance.now();
    await fetch(`${service.address}/api/artifact/generate/device`, {
      method: 'POST',
      headers: {'x-service-key': KEY},
    });
    await settled();
    const again = (performance.now() - before) / 1000;
    await service.stop();
    return [
      {name: 'artifacts, imported and made for the first time', unit: 'perSecond', value: DEVICES / imported},
      {name: 'artifacts, made again and found unchanged', unit: 'perSecond', value: DEVICES / again},
    ];
  },
};
