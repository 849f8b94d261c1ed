import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {type GraphqlWorld, openGraphql} from './graphql-fixtures.ts';

let world: GraphqlWorld;
let count = 0;
let name = '';

beforeAll(async () => {
  world = await openGraphql();
});

afterAll(() => world.close());

beforeEach(() => {
  count += 1;
  name = `device-${count}`;
});

async function create(data: string, kind = 'InfraDevice'): Promise<string> {
  const answer = await world.data(`mutation { made: ${kind}Create(data: ${data}) { ok object { id } } }`);
  return (answer as unknown as {made: {object: {id: string}}}).made.object.id;
}

async function total(kind = 'InfraDevice'): Promise<number> {
  const answer = await world.data(`{ list: ${kind} { count } }`);
  return (answer as unknown as {list: {count: number}}).list.count;
}

describe('one object', () => {
  test('is created with what was said of it and the defaults of its kind', async () => {
    const data = await world.data(
      `mutation { InfraDeviceCreate(data: {name: {value: "${name}", is_protected: true}, height: {value: 7}}) {
        ok __typename object { __typename name { value is_protected is_default } height { value } status { value is_default } display_label hfid } } }`,
    );
    expect(data).toEqual({
      InfraDeviceCreate: {
        ok: true,
        __typename: 'InfraDeviceCreate',
        object: {
          __typename: 'InfraDevice',
          name: {value: name, is_protected: true, is_default: false},
          height: {value: 7},
          status: {value: 'active', is_default: true},
          display_label: `${name} active`,
          hfid: [name],
        },
      },
    });
  });

  test('is created together with objects that it is related to', async () => {
    const data = await world.data(
      `mutation ($tags: [RelatedNodeInput]) { InfraDeviceCreate(data: {
         name: {value: "${name}"}, tags: $tags,
         site: {data: {name: {value: "site of ${name}"}, parent: {data: {name: "region of ${name}"}, kind: "LocationRegion"}}}
       }) { object { site { node { name { value } parent { node { name { value } } } } } tags { edges { node { name { value } } } } } } }`,
      {variables: {tags: [{data: {name: {value: `tag of ${name}`}}}]}},
    );
    expect(data).toEqual({
      InfraDeviceCreate: {
        object: {
          site: {
            node: {name: {value: `site of ${name}`}, parent: {node: {name: {value: `region of ${name}`}}}},
          },
          tags: {edges: [{node: {name: {value: `tag of ${name}`}}}]},
        },
      },
    });
  });

  test('changes only in what an update names, by id or by hfid', async () => {
    const id = await create(`{name: {value: "${name}"}, height: {value: 1}, role: {value: "leaf"}}`);
    const byId = await world.data(
      `mutation { InfraDeviceUpdate(data: {id: "${id}", height: {value: null}}) { object { height { value } role { value } } } }`,
    );
    expect(byId).toEqual({InfraDeviceUpdate: {object: {height: {value: null}, role: {value: 'leaf'}}}});
    const byHfid = await world.data(
      `mutation { InfraDeviceUpdate(data: {hfid: ["${name}"], role: {is_default: true}}) { object { id role { value } } } }`,
    );
    expect(byHfid).toEqual({InfraDeviceUpdate: {object: {id, role: {value: null}}}});
  });

  test('changes through its generic', async () => {
    const id = await create(`{name: {value: "${name}"}}`);
    const data = await world.data(
      `mutation { InfraEndpointUpdate(data: {id: "${id}", description: {value: "new"}}) { ok object { __typename description { value } } } }`,
    );
    expect(data).toEqual({
      InfraEndpointUpdate: {ok: true, object: {__typename: 'InfraDevice', description: {value: 'new'}}},
    });
  });

  test('is made by an upsert once, and changed by the next', async () => {
    const upsert = (height: number) =>
      world.data(
        `mutation { InfraDeviceUpsert(data: {name: {value: "${name}"}, height: {value: ${height}}}) { object { id height { value } } } }`,
      );
    const first = (await upsert(1)) as unknown as {InfraDeviceUpsert: {object: {id: string}}};
    const {id} = first.InfraDeviceUpsert.object;
    expect(await upsert(2)).toEqual({InfraDeviceUpsert: {object: {id, height: {value: 2}}}});
  });

  test('goes with its parts when it is deleted, and cannot go twice', async () => {
    const id = await create(`{name: {value: "${name}"}}`);
    const part = await create(`{name: {value: "eth0"}, device: {id: "${id}"}}`, 'InfraInterface');
    const remove = `mutation { InfraDeviceDelete(data: {id: "${id}"}) { ok deleted_ids } }`;
    expect(await world.data(remove)).toEqual({InfraDeviceDelete: {ok: true, deleted_ids: [id, part]}});
    const {data, errors} = await world.run(remove);
    expect(data).toEqual({InfraDeviceDelete: null});
    expect(errors).toMatchObject([
      {
        path: ['InfraDeviceDelete'],
        locations: [{line: 1, column: 12}],
        extensions: {code: 'NODE_NOT_FOUND', http_status: 404},
      },
    ]);
  });

  test('gains and loses peers one by one', async () => {
    const id = await create(`{name: {value: "${name}"}}`);
    const tag = await create(`{name: {value: "tag ${name}"}}`, 'BuiltinTag');
    const tags = async () => {
      const data = await world.data(
        `{ InfraDevice(ids: ["${id}"]) { edges { node { tags { edges { node { id } } } } } } }`,
      );
      return JSON.stringify(data).includes(tag);
    };
    const change = (field: string) =>
      world.data(`mutation { ${field}(data: {id: "${id}", name: "tags", nodes: [{id: "${tag}"}]}) { ok } }`);
    expect(await change('RelationshipAdd')).toEqual({RelationshipAdd: {ok: true}});
    expect(await tags()).toBe(true);
    expect(await change('RelationshipRemove')).toEqual({RelationshipRemove: {ok: true}});
    expect(await tags()).toBe(false);
  });
});

describe('several mutations in one document', () => {
  test('are each a commit of their own: what worked stays', async () => {
    const before = await total();
    const {data, errors} = await world.run(
      `mutation { good: InfraDeviceCreate(data: {name: {value: "${name}"}}) { ok }
        bad: InfraDeviceCreate(data: {name: {value: "${name}"}}) { ok }
        later: InfraDeviceCreate(data: {name: {value: "${name} later"}}) { ok } }`,
    );
    expect(data).toEqual({good: {ok: true}, bad: null, later: {ok: true}});
    expect(errors).toMatchObject([{path: ['bad'], extensions: {code: 'CONSTRAINT_VIOLATION'}}]);
    expect(await total()).toBe(before + 2);
  });

  test('are one commit with @atomic: when one fails, none has happened', async () => {
    const before = await total();
    const {data, errors} = await world.run(
      `mutation @atomic { good: InfraDeviceCreate(data: {name: {value: "${name}"}}) { ok }
        bad: InfraDeviceUpdate(data: {id: "${name} missing"}) { ok } }`,
    );
    expect(data).toEqual({good: null, bad: null});
    expect(errors).toMatchObject([{path: ['bad'], extensions: {code: 'NODE_NOT_FOUND'}}]);
    expect(await total()).toBe(before);
    const commits = await world.store.commits({
      branch: world.store.defaultBranch,
      limit: 1,
      newestFirst: true,
    });
    await world.data(
      `mutation @atomic { a: InfraDeviceCreate(data: {name: {value: "${name} a"}}) { object { id } }
        b: InfraDeviceUpdate(data: {hfid: ["${name} a"], height: {value: 3}}) { object { height { value } } } }`,
    );
    const after = await world.store.commits({
      branch: world.store.defaultBranch,
      limit: 5,
      newestFirst: false,
      after: commits[0]!.instant,
    });
    expect(after).toHaveLength(1);
  });
});

describe('a dry run', () => {
  test('answers what would be and changes nothing', async () => {
    const before = await total();
    const data = await world.data(
      `mutation { InfraDeviceCreate(dry_run: true, data: {name: {value: "${name}"}, tags: [{data: {name: "of ${name}"}}]}) {
         ok object { name { value } tags { edges { node { name { value } } } } } } }`,
    );
    expect(data).toEqual({
      InfraDeviceCreate: {
        ok: true,
        object: {name: {value: name}, tags: {edges: [{node: {name: {value: `of ${name}`}}}]}},
      },
    });
    expect(await total()).toBe(before);
  });

  test('says what a delete would take along', async () => {
    const id = await create(`{name: {value: "${name}"}}`);
    const data = await world.data(
      `mutation { InfraDeviceDelete(dry_run: true, data: {id: "${id}"}) { ok deleted_ids } }`,
    );
    expect(data).toEqual({InfraDeviceDelete: {ok: true, deleted_ids: [id]}});
    expect(await world.data(`{ InfraDevice(ids: ["${id}"]) { count } }`)).toEqual({InfraDevice: {count: 1}});
  });
});

describe('many rows', () => {
  const rows = (from: number, size: number) =>
    Array.from({length: size}, (_, place) => ({
      name: {value: `bulk-${from + place}`},
      height: {value: place},
    }));

  test('are one commit, and come back in their order', async () => {
    const query =
      'mutation ($data: [InfraDeviceCreateInput!]!) { InfraDeviceCreateMany(data: $data) { ok count objects { name { value } } } }';
    const data = await world.data(query, {variables: {data: rows(0, 300)}});
    expect(data).toMatchObject({InfraDeviceCreateMany: {ok: true, count: 300}});
    const {objects} = (data as unknown as {InfraDeviceCreateMany: {objects: {name: {value: string}}[]}})
      .InfraDeviceCreateMany;
    expect(objects.map(object => object.name.value)).toEqual(rows(0, 300).map(row => row.name.value));
  });

  test('are refused whole, and every wrong row is named', async () => {
    const before = await total();
    const data = [
      ...rows(1000, 3),
      {name: {value: 'bulk-1003'}, role: {value: 'none'}},
      {height: {value: 1}},
    ];
    const query =
      'mutation ($data: [InfraDeviceCreateInput!]!) { InfraDeviceCreateMany(data: $data) { ok } }';
    const {errors} = await world.run(query, {variables: {data}});
    expect(errors).toMatchObject([
      {extensions: {code: 'VALIDATION_ERROR', data: {count: 2, rows: [{index: 3}, {index: 4}]}}},
    ]);
    expect(await total()).toBe(before);
  });

  test('are upserted and deleted', async () => {
    const upsert =
      'mutation ($data: [InfraDeviceUpsertInput!]!) { InfraDeviceUpsertMany(data: $data) { objects { id } } }';
    const ids = async () => {
      const data = (await world.data(upsert, {variables: {data: rows(2000, 5)}})) as unknown as {
        InfraDeviceUpsertMany: {objects: {id: string}[]};
      };
      return data.InfraDeviceUpsertMany.objects;
    };
    const first = await ids();
    expect(await ids()).toEqual(first);
    const remove = 'mutation ($data: [DeleteInput!]!) { InfraDeviceDeleteMany(data: $data) { ok count } }';
    expect(await world.data(remove, {variables: {data: first}})).toEqual({
      InfraDeviceDeleteMany: {ok: true, count: 5},
    });
  });
});

describe('choices of the schema', () => {
  test('are added and removed on the branch', async () => {
    const added = await world.data(
      'mutation { SchemaDropdownAdd(data: {kind: "InfraDevice", attribute: "status", dropdown: "planned", label: "Planned"}) { ok object { value label } } }',
    );
    expect(added).toEqual({SchemaDropdownAdd: {ok: true, object: {value: 'planned', label: 'Planned'}}});
    const removed = await world.data(
      'mutation { SchemaDropdownRemove(data: {kind: "InfraDevice", attribute: "status", dropdown: "planned"}) { ok } }',
    );
    expect(removed).toEqual({SchemaDropdownRemove: {ok: true}});
    await world.data(
      'mutation { SchemaEnumAdd(data: {kind: "InfraDevice", attribute: "role", enum: "core"}) { ok } }',
    );
    await create(`{name: {value: "${name}"}, role: {value: "core"}}`);
    const {errors} = await world.run(
      'mutation { SchemaEnumRemove(data: {kind: "InfraDevice", attribute: "role", enum: "core"}) { ok } }',
    );
    expect(errors).toHaveLength(1);
  });
});

describe('who acts', () => {
  test('is the account of the context, when the caller may act for it', async () => {
    const id = await create(`{name: {value: "${name}"}, password: {value: "long-enough"}}`, 'CoreAccount');
    const data = await world.data(
      `mutation { BuiltinTagCreate(context: {account: {id: "${id}"}}, data: {name: {value: "${name}"}}) { object { name { updated_by { id } } } } }`,
    );
    expect(data).toEqual({BuiltinTagCreate: {object: {name: {updated_by: {id}}}}});
    const other = world.caller;
    world.caller = {
      account: null,
      access: {allows: need => need.is !== 'global' || need.action !== 'override_context'},
    };
    const {errors} = await world.run(
      `mutation { BuiltinTagCreate(context: {account: {id: "${id}"}}, data: {name: {value: "${name} 2"}}) { ok } }`,
    );
    world.caller = other;
    expect(errors).toMatchObject([{extensions: {code: 'PERMISSION_DENIED'}}]);
  });
});
