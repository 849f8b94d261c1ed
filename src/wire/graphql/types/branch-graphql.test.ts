import {
  type GraphQLType,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  validateSchema,
} from 'graphql';
import {describe, expect, test} from 'vitest';
import {schemaOf} from '../../../domain/schema/test-support/load.ts';
import {serviceFields} from '../service/service-fields.ts';
import {BranchGraphql} from './branch-graphql.ts';

const face = new BranchGraphql(
  schemaOf({
    generics: [
      {
        namespace: 'Infra',
        name: 'Base',
        attributes: [{name: 'label', kind: 'Text', optional: true}],
        relationships: [{name: 'friends', peer: 'InfraBase', cardinality: 'many', optional: true}],
      },
      {namespace: 'Place', name: 'Generic', hierarchical: true, attributes: [{name: 'name', kind: 'Text'}]},
    ],
    nodes: [
      {
        namespace: 'Infra',
        name: 'Rack',
        generate_template: true,
        inherit_from: ['InfraBase'],
        attributes: [{name: 'name', kind: 'Text'}],
        relationships: [
          {
            name: 'shelves',
            peer: 'InfraShelf',
            cardinality: 'many',
            kind: 'Component',
            optional: true,
            identifier: 'rack__shelf',
          },
        ],
      },
      {
        namespace: 'Infra',
        name: 'Shelf',
        inherit_from: ['InfraBase'],
        attributes: [{name: 'height', kind: 'Number'}],
        relationships: [
          {
            name: 'rack',
            peer: 'InfraRack',
            cardinality: 'one',
            kind: 'Parent',
            optional: false,
            identifier: 'rack__shelf',
          },
        ],
      },
      {namespace: 'Place', name: 'Town', inherit_from: ['PlaceGeneric'], parent: '', children: 'PlaceHouse'},
      {namespace: 'Place', name: 'House', inherit_from: ['PlaceGeneric'], parent: 'PlaceTown', children: ''},
    ],
  }),
  [serviceFields],
);

describe('the GraphQL schema of a schema', () => {
  test('keeps every rule of GraphQL, those of interfaces included', () => {
    const {graphql} = face;
    Object.assign(graphql, {__validationErrors: undefined});
    expect(validateSchema(graphql).map(error => error.message)).toEqual([]);
  });

  test('knows every type that its fields and arguments lead to', () => {
    const known = face.graphql.getTypeMap();
    const missing = new Set<string>();
    for (const type of Object.values(known)) {
      if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
      for (const field of Object.values(type.getFields()) as {
        type: GraphQLType;
        args?: {type: GraphQLType}[];
      }[]) {
        for (const {type: used} of [field, ...(field.args ?? [])]) {
          const named = getNamedType(used);
          if (known[named.name] !== named) missing.add(named.name);
        }
      }
    }
    expect([...missing]).toEqual([]);
  });

  test('has the four wrappers of a kind, its mutations and its inputs', () => {
    const names = Object.keys(face.graphql.getTypeMap());
    for (const name of [
      'EdgedInfraRack',
      'PaginatedInfraRack',
      'NestedEdgedInfraRack',
      'NestedPaginatedInfraRack',
      'InfraRackCreateInput',
      'InfraRackUpsertInput',
      'InfraRackWhere',
      'ProfileInfraRack',
      'TemplateInfraRack',
    ]) {
      expect(names).toContain(name);
    }
    const mutations = Object.keys(face.graphql.getMutationType()!.getFields());
    expect(mutations).toEqual(
      expect.arrayContaining([
        'InfraRackCreate',
        'InfraRackDelete',
        'InfraBaseUpdate',
        'ProfileInfraRackCreate',
        'TemplateInfraRackUpsert',
      ]),
    );
    expect(mutations).not.toContain('InfraBaseCreate');
  });

  test('shows nothing of internal kinds', () => {
    expect(face.sdl()).not.toMatch(/InternalAccountToken|InternalRefreshToken/);
  });
});
