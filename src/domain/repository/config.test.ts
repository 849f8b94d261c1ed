import {expect, test} from 'vitest';
import {readConfig} from './config.ts';
import {fragmentsIn, withFragments} from './fragments.ts';

test('a config says what a repository brings', () => {
  const {config, problems} = readConfig({
    schemas: ['schemas'],
    queries: [{name: 'devices', file_path: 'queries/devices.gql'}],
    jinja2_transforms: [{name: 'startup', query: 'devices', template_path: 'templates/startup.j2'}],
    python_transforms: [{name: 'facts', file_path: 'facts.py'}],
    artifact_definitions: [
      {
        name: 'startup',
        artifact_name: 'startup-config',
        parameters: {name: 'name__value'},
        content_type: 'text/plain',
        targets: 'edges',
        transformation: 'startup',
      },
    ],
    check_definitions: [{name: 'later', file_path: 'check.py'}],
    objects: ['objects/groups.yml'],
    menus: null,
  });
  expect(problems).toEqual([]);
  expect(config.pythonTransforms[0]).toMatchObject({className: 'Transform', convertsResponse: false});
  expect(config.artifactDefinitions[0]).toMatchObject({artifactName: 'startup-config', targets: 'edges'});
  expect(config.notYetRun).toEqual(['check_definitions later']);
  expect(config.menus).toEqual([]);
});

test('an entry that is wrong is named, and the others stay', () => {
  const {config, problems} = readConfig({
    queries: [{name: 'good', file_path: 'a.gql'}, {name: 'bad'}, 7, {name: 'good', file_path: 'b.gql'}],
    schemas: 'schemas',
    objects: [{}],
    qeries: [],
  });
  expect(config.queries).toEqual([{name: 'good', path: 'a.gql'}]);
  expect(problems).toEqual([
    'schemas is not a list',
    'queries, "bad": needs a text under file_path',
    'queries, entry 3: needs a text under name',
    'queries, "good": is there more than once',
    'objects, entry 1: is not a path',
    'There is no section qeries',
  ]);
  expect(readConfig('text').problems).toEqual(['The file is not a list of sections']);
  expect(readConfig(null).problems).toEqual([]);
});

test('a query gets the shared fragments that it uses, and those that they use, once', () => {
  const shared = fragmentsIn(`
    # fragment No on A { }
    fragment Port on InfraInterface { name { value } ...Speed }
    fragment Speed on InfraInterface { speed { value } }
    fragment Unused on InfraInterface { id }
  `);
  expect([...shared.keys()]).toEqual(['Port', 'Speed', 'Unused']);
  const text = withFragments('query { A { ...Port ... on B { ...Port } ...Unknown } } # ...Unused', shared);
  expect(text.match(/fragment \w+/g)).toEqual(['fragment Port', 'fragment Speed']);
  expect(withFragments('{ A { ...Port } } fragment Port on A { id }', shared)).not.toContain('speed');
});
