import {expect, test} from 'vitest';
import type {AccessServices} from '../../../app/access/access-services.ts';
import {allKinds} from '../../../domain/schema/lookup.ts';
import {SERVICE_TYPES, TYPE_PREFIXES, TYPE_SUFFIXES} from '../../../domain/schema/rules/api-type-names.ts';
import {schemaOf} from '../../../domain/schema/test-support/load.ts';
import {RESTRICTED_NAMESPACES} from '../../../domain/schema/vocabulary.ts';
import {accessFields} from '../access/access-fields.ts';
import {branchRootFields} from '../branch/branch-root-fields.ts';
import {serviceFields} from '../service/service-fields.ts';
import {BranchGraphql} from './branch-graphql.ts';

const schema = schemaOf({});
const access = {} as AccessServices;
const {graphql} = new BranchGraphql(schema, [serviceFields, branchRootFields, accessFields(access)]);

const ofKinds = new Set(
  [...allKinds(schema)].flatMap(({kind}) => [
    kind,
    ...TYPE_PREFIXES.map(prefix => `${prefix}${kind}`),
    ...TYPE_SUFFIXES.map(suffix => `${kind}${suffix}`),
  ]),
);

/** Whether somebody could load a kind of this name. */
function couldBeKind(name: string): boolean {
  const namespace = /^([A-Z][a-z0-9]+)[A-Z]/.exec(name)?.[1];
  return namespace !== undefined && !RESTRICTED_NAMESPACES.has(namespace);
}

test('every type of the service that a kind could be called like is known to the rule that refuses it', () => {
  const names = [...Object.keys(graphql.getTypeMap()), ...Object.keys(graphql.getQueryType()!.getFields())];
  const own = new Set(names.filter(name => !ofKinds.has(name) && couldBeKind(name)));
  expect([...own].sort()).toEqual([...SERVICE_TYPES].sort());
});
