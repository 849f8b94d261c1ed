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

const device = async (name: string) =>
  (await world.data(`{ InfraDevice(name__value: "${name}") { edges { node { id } } } }`)).InfraDevice.edges[0]
    .node.id;

const tasksSince = async (workflow: string, count: number): Promise<number> =>
  (await world.data(`{ ServiceTask(workflow: ["${workflow}"]) { count } }`)).ServiceTask.count - count;

const generated = () => tasksSince('artifact-generate', 0);

test('what changes is made again, with the reason, and nothing else is touched', async () => {
  const before = await world.artifacts();
  const runs = await generated();
  const {InfraPhysicalInterface} = await world.data(
    '{ InfraPhysicalInterface(device__name__value: "brn1-leaf-1", name__value: "eth2") { edges { node { id } } } }',
  );
  const {id: port} = InfraPhysicalInterface.edges[0].node;
  await world.data(
    `mutation { InfraPhysicalInterfaceUpdate(data: {id: "${port}", description: {value: "Spare"}}) { ok } }`,
  );
  await world.settled();
  const after = await world.artifacts();
  const leaf = 'brn1-leaf-1 startup-config';
  expect(after[leaf]).toMatchObject({id: before[leaf].id, reason: 'InfraPhysicalInterface eth2 changed'});
  expect(after[leaf].storage).not.toBe(before[leaf].storage);
  expect((await world.text(`/api/artifact/${after[leaf].id}`)).text).toContain('  description Spare\n');
  // The facts were made again and came out the same, so there is no new object; the other device was left alone.
  for (const name of ['brn1-leaf-1 facts', 'brn1-edge-1 facts', 'brn1-edge-1 startup-config']) {
    expect([name, after[name]]).toEqual([name, before[name]]);
  }
  expect(await tasksSince('artifact-generate', runs)).toBe(2);
});

test('what no artifact reads makes none again', async () => {
  const runs = await generated();
  await world.data('mutation { BuiltinTagCreate(data: {name: {value: "blue"}}) { ok } }');
  await world.data(
    'mutation { InfraManufacturerUpdate(data: {hfid: ["Acme"], support_url: {value: "https://acme.example"}}) { ok } }',
  );
  await world.settled();
  expect(await tasksSince('artifact-generate', runs)).toBe(0);
});

test('a commit makes again what its files are part of; words about them do not', async () => {
  const runs = await generated();
  example.commit({'README.md': '# Words\n'});
  await world.process(id);
  expect((await world.repository('configurations')).sync_status).toBe('in-sync');
  expect(await tasksSince('artifact-generate', runs)).toBe(0);
  const before = await world.artifacts();
  const commit = example.commit({
    'templates/bgp.j2': 'router bgp {{ device.asn.node.number.value }}\n  no neighbours\n',
  });
  await world.process(id);
  const after = await world.artifacts();
  const edge = 'brn1-edge-1 startup-config';
  expect(after[edge].reason).toBe(`templates/bgp.j2 changed with commit ${commit.slice(0, 8)}`);
  expect((await world.text(`/api/artifact/${after[edge].id}`)).text).toContain('  no neighbours');
  for (const name of ['brn1-leaf-1 startup-config', 'brn1-leaf-1 facts', 'brn1-edge-1 facts']) {
    expect([name, after[name].storage]).toEqual([name, before[name].storage]);
  }
});

test('artifacts of a branch follow the branch, are compared before the merge, and made on the other side after it', async () => {
  await world.data('mutation { BranchCreate(data: {name: "change", sync_with_git: false}) { ok } }');
  expect(JSON.parse((await world.text('/api/diff/artifacts?branch=change')).text)).toEqual({});
  const leaf = await device('brn1-leaf-1');
  await world.data(
    `mutation { InfraDeviceUpdate(data: {id: "${leaf}", ntp_servers: {value: ["192.0.2.99"]}}) { ok } }`,
    'change',
  );
  await world.settled();
  const [onMain, onBranch] = [await world.artifacts(), await world.artifacts('change')];
  const name = 'brn1-leaf-1 startup-config';
  expect(onBranch[name].id).toBe(onMain[name].id);
  expect(JSON.parse((await world.text('/api/diff/artifacts?branch=change')).text)).toEqual({
    [onBranch[name].id]: {
      id: onBranch[name].id,
      branch: 'change',
      display_label: 'brn1-leaf-1 - startup-config',
      action: 'updated',
      target: {id: leaf, kind: 'InfraDevice', display_label: 'brn1-leaf-1'},
      item_new: {storage_id: onBranch[name].storage, checksum: onBranch[name].checksum},
      item_previous: {storage_id: onMain[name].storage, checksum: onMain[name].checksum},
    },
  });
  const branchText = (await world.text(`/api/artifact/${onBranch[name].id}?branch=change`)).text;
  expect(branchText).toContain('ntp server 192.0.2.99\n');
  expect((await world.text(`/api/artifact/${onMain[name].id}`)).text).not.toContain('192.0.2.99');
  await world.data('mutation { BranchMerge(data: {name: "change"}) { ok } }');
  await world.settled();
  expect((await world.artifacts())[name].checksum).toBe(onBranch[name].checksum);
  const past = await world.text(`/api/artifact/${onMain[name].id}?at=-1d`);
  expect(past.status).toBe(400);
});

test('a rebase makes the artifacts of the branch anew from what it now sees', async () => {
  await world.data('mutation { BranchCreate(data: {name: "later", sync_with_git: false}) { ok } }');
  const edge = await device('brn1-edge-1');
  await world.data(
    `mutation { InfraDeviceUpdate(data: {id: "${edge}", domain: {value: "example.org"}}) { ok } }`,
  );
  await world.settled();
  const name = 'brn1-edge-1 startup-config';
  const onMain = (await world.artifacts())[name].checksum;
  expect((await world.artifacts('later'))[name].checksum).not.toBe(onMain);
  await world.data('mutation { BranchRebase(data: {name: "later"}) { ok } }');
  await world.settled();
  expect((await world.artifacts('later'))[name].checksum).toBe(onMain);
});

test('an object that takes another name is listened to under it, and under no other', async () => {
  const groups = async () =>
    (await world.data('{ CoreGraphQLQueryGroup { count } }')).CoreGraphQLQueryGroup.count;
  const before = await groups();
  const edge = await device('brn1-edge-1');
  const rename = async (name: string) => {
    await world.data(
      `mutation { InfraDeviceUpdate(data: {id: "${edge}", name: {value: "${name}"}}) { ok } }`,
    );
    await world.settled();
  };
  await rename('brn1-border-1');
  const artifact = (await world.artifacts())['brn1-border-1 startup-config'];
  expect((await world.text(`/api/artifact/${artifact.id}`)).text).toContain('hostname brn1-border-1\n');
  expect(await groups()).toBe(before);
  await rename('brn1-edge-1');
  expect(await groups()).toBe(before);
});

test('a query that lists is answered anew when something enters the list', async () => {
  await world.data(
    'mutation { CoreGraphQLQueryCreate(data: {name: {value: "sites"}, query: {value: "query { LocationSite { edges { node { name { value } } } } }"}}) { ok } }',
  );
  example.commit({
    'templates/sites.j2': '{% for s in data.LocationSite.edges %}{{ s.node.name.value }};{% endfor %}',
  });
  await world.process(id);
  await world.data(`mutation {
    CoreTransformJinja2Create(data: {name: {value: "sites"}, template_path: {value: "templates/sites.j2"}, query: {hfid: ["sites"], id: "sites"}, repository: {id: "${id}"}}) { ok }
  }`);
  await world.data(`mutation {
    CoreArtifactDefinitionCreate(data: {name: {value: "sites"}, artifact_name: {value: "sites"}, parameters: {value: {}}, content_type: {value: "text/plain"},
      targets: {id: "configured_devices"}, transformation: {id: "sites"}}) { ok }
  }`);
  await world.settled();
  const content = async () => {
    const artifact = (await world.artifacts())['brn1-leaf-1 sites'];
    return {...(await world.text(`/api/artifact/${artifact.id}`)), reason: artifact.reason};
  };
  expect((await content()).text).toBe('Bern 1;');
  await world.data(
    'mutation { LocationSiteCreate(data: {name: {value: "Bern 2"}, facility_code: {value: "brn2"}, parent: {hfid: ["Europe"]}}) { ok } }',
  );
  await world.settled();
  expect(await content()).toMatchObject({text: 'Bern 1;Bern 2;', reason: 'LocationSite Bern 2 changed'});
  await world.data('mutation { CoreArtifactDefinitionDelete(data: {id: "sites"}) { ok } }');
  await world.settled();
  expect(Object.keys(await world.artifacts()).filter(name => name.endsWith('sites'))).toEqual([]);
});

test('artifacts come and go with the members of the group, and go with their object', async () => {
  const [leaf, edge] = [await device('brn1-leaf-1'), await device('brn1-edge-1')];
  const {CoreStandardGroup} = await world.data(
    '{ CoreStandardGroup(name__value: "configured_devices") { edges { node { id } } } }',
  );
  const group = CoreStandardGroup.edges[0].node.id;
  const change = (verb: string) =>
    world.data(
      `mutation { Relationship${verb}(data: {id: "${group}", name: "members", nodes: [{id: "${leaf}"}]}) { ok } }`,
    );
  await change('Remove');
  await world.settled();
  expect(Object.keys(await world.artifacts()).sort()).toEqual([
    'brn1-edge-1 facts',
    'brn1-edge-1 startup-config',
  ]);
  await change('Add');
  await world.settled();
  expect(Object.keys(await world.artifacts()).length).toBe(4);
  await world.data(`mutation { InfraDeviceDelete(data: {id: "${edge}"}) { ok } }`);
  await world.settled();
  expect(Object.keys(await world.artifacts()).sort()).toEqual([
    'brn1-leaf-1 facts',
    'brn1-leaf-1 startup-config',
  ]);
});

test('an artifact that cannot be made says why and keeps what it had, until it can be made again', async () => {
  const name = 'brn1-leaf-1 startup-config';
  // Objects that the repository brings are what it says again.
  await world.process(id);
  const before = (await world.artifacts())[name];
  const good = (await world.text('/api/file/configurations/templates/device.j2')).text;
  example.commit({'templates/device.j2': `fine\n{{ data.nothing.at.all }}\n`});
  await world.process(id);
  expect((await world.artifacts())[name]).toMatchObject({
    status: 'Error',
    storage: before.storage,
    problem: "templates/device.j2, line 2: 'dict object' has no attribute 'nothing'",
  });
  const rendered = await world.text('/api/transform/jinja2/device_configuration?device=brn1-leaf-1');
  expect(rendered.status).toBe(500);
  expect(rendered.text).toContain('templates/device.j2, line 2');
  example.commit({'templates/device.j2': good});
  await world.process(id);
  expect((await world.artifacts())[name]).toMatchObject({
    status: 'Ready',
    problem: null,
    checksum: before.checksum,
    storage: before.storage,
  });
});

test('artifacts can be asked for, all or some, by those who may', async () => {
  const runs = await generated();
  const post = (path: string, body?: string) =>
    world.ask(path, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      ...(body === undefined ? {} : {body}),
    });
  const all = await post('/api/artifact/generate/device_facts');
  expect([all.status, await all.text()]).toEqual([200, 'null']);
  const artifact = (await world.artifacts())['brn1-leaf-1 facts'].id;
  expect(
    (await post('/api/artifact/generate/device_facts', JSON.stringify({nodes: [artifact]}))).status,
  ).toBe(200);
  await world.settled();
  expect(await tasksSince('artifact-generate', runs)).toBe(2);
  expect((await post('/api/artifact/generate/nothing')).status).toBe(404);
  expect((await post('/api/artifact/generate/device_facts', '{"nodes": 7}')).status).toBe(422);
  expect((await fetch(`${world.address}/api/artifact/generate/device_facts`, {method: 'POST'})).status).toBe(
    401,
  );
  expect((await world.text('/api/artifact/00000000-0000-4000-8000-000000000000')).status).toBe(404);
});

test('a transform that cannot be run tells why, and who runs it sees no more than they may', async () => {
  const ask = async (path: string) => {
    const {status, text} = await world.text(path);
    return {status, message: JSON.parse(text).errors[0].message as string};
  };
  expect(await ask('/api/transform/jinja2/nothing')).toMatchObject({status: 404});
  expect(await ask('/api/transform/python/device_configuration')).toMatchObject({status: 404});
  const without = await ask('/api/transform/jinja2/device_configuration');
  expect(without.status).toBe(502);
  expect(without.message).toContain('GraphQLQuery device_configuration: ');
  const {CoreTransformJinja2: found} = await world.data(
    '{ CoreTransformJinja2(name__value: "device_configuration") { edges { node { id } } } }',
  );
  const move = (path: string) =>
    world.data(
      `mutation { CoreTransformJinja2Update(data: {id: "${found.edges[0].node.id}", template_path: {value: "${path}"}}) { ok } }`,
    );
  for (const [path, status, words] of [
    ['templates/nowhere.j2', 404, 'Unable to find the file at'],
    ['../../../etc/passwd', 403, 'File not in repository'],
  ] as const) {
    await move(path);
    const answer = await ask('/api/transform/jinja2/device_configuration?device=brn1-leaf-1');
    expect(answer).toEqual({status, message: expect.stringContaining(`${words} '${id}::`)});
  }
  await move('templates/device.j2');
  await world.settled();
  const empty = await ask('/api/transform/python/device_facts?device=nobody');
  expect(empty.status).toBe(500);
  expect(empty.message).toContain('IndexError: list index out of range');
});
