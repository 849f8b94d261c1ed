import {afterAll, beforeAll, expect, test} from 'vitest';
import {exampleRepository, openRepositoryWorld, type RepositoryWorld} from './repository-world.ts';

let world: RepositoryWorld;
const example = exampleRepository();
let id: string;

beforeAll(async () => {
  world = await openRepositoryWorld();
  id = await world.addRepository('configurations', example.folder);
});
afterAll(() => world.close());

test('a repository that is added is cloned and imported, with all that it brings', async () => {
  expect(await world.repository('configurations')).toEqual({
    id,
    commit: example.first,
    operational_status: 'online',
    sync_status: 'in-sync',
    internal_status: 'active',
    status_message: null,
  });
  expect(await world.names('InfraDevice')).toEqual(['brn1-edge-1', 'brn1-leaf-1']);
  expect(await world.names('CoreGraphQLQuery')).toEqual(['device_configuration']);
  expect(await world.names('CoreTransformation')).toEqual(['device_configuration', 'device_facts']);
  expect(await world.names('CoreArtifactDefinition')).toEqual(['device_configuration', 'device_facts']);
  expect(await world.names('CoreMenuItem')).toContain('Configurations');
});

const LEAF = `hostname brn1-leaf-1
ip domain-name example.net
!
ntp server 192.0.2.10
ntp server 192.0.2.11
!
interface eth1
  description To the spine
  mtu 9000
  no shutdown
!
interface eth2
  mtu 1500
  shutdown
!
end`;

test('transforms render for whoever asks', async () => {
  expect(await world.text('/api/transform/jinja2/device_configuration?device=brn1-leaf-1')).toEqual({
    status: 200,
    type: 'text/plain; charset=utf-8',
    text: LEAF,
  });
  const facts = await world.text('/api/transform/python/device_facts?device=brn1-edge-1');
  expect([facts.status, facts.type]).toEqual([200, 'application/json; charset=utf-8']);
  expect(JSON.parse(facts.text)).toEqual({
    host: 'brn1-edge-1.example.net',
    site: 'Bern 1',
    ports: {eth1: true},
  });
});

test('every device of the group has its artifacts, each with its own content type', async () => {
  const artifacts = await world.artifacts();
  expect(Object.keys(artifacts).sort()).toEqual([
    'brn1-edge-1 facts',
    'brn1-edge-1 startup-config',
    'brn1-leaf-1 facts',
    'brn1-leaf-1 startup-config',
  ]);
  const leaf = artifacts['brn1-leaf-1 startup-config'];
  expect(leaf).toMatchObject({status: 'Ready', reason: 'The definition is new', problem: null});
  expect(await world.text(`/api/artifact/${leaf.id}`)).toEqual({status: 200, type: 'text/plain', text: LEAF});
  const facts = await world.text(`/api/artifact/${artifacts['brn1-edge-1 facts'].id}`);
  expect(facts.type).toBe('application/json');
  expect(facts.text.startsWith('{\n  "host"')).toBe(true);
});
