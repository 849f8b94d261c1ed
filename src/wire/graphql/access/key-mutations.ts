import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql';
import type {AccessServices} from '../../../app/access/access-services.ts';
import {createKey, deleteKey, type NewKey} from '../../../app/access/api-keys.ts';
import {updateOwnAccount} from '../../../app/access/update-own-account.ts';
import type {FieldContext} from '../engine.ts';

type Field = GraphQLFieldConfig<unknown, FieldContext>;

const required = new GraphQLNonNull(GraphQLString);
const ok = {type: new GraphQLNonNull(GraphQLBoolean)};

const TokenValue = new GraphQLObjectType({
  name: 'AccountTokenValue',
  fields: {value: {type: required, description: 'The secret. It is shown here and never again.'}},
});

const MadeToken = new GraphQLObjectType({
  name: 'AccountTokenMade',
  fields: {id: {type: required}, token: {type: new GraphQLNonNull(TokenValue)}},
});

const Made = new GraphQLObjectType({
  name: 'AccountTokenCreate',
  fields: {ok, object: {type: MadeToken}},
});

const Done = (name: string) => new GraphQLObjectType({name, fields: {ok}});

const TextInput = new GraphQLInputObjectType({
  name: 'AccountTokenTextInput',
  fields: {value: {type: GraphQLString}},
});

const AccountInput = new GraphQLInputObjectType({
  name: 'AccountTokenAccountInput',
  fields: {id: {type: required}},
});

function field<Data>(
  input: string,
  fields: GraphQLInputFieldConfigMap,
  type: GraphQLObjectType,
  description: string,
  run: (context: FieldContext, data: Data) => Promise<object>,
): Field {
  const data = {type: new GraphQLNonNull(new GraphQLInputObjectType({name: input, fields}))};
  return {type, description, args: {data}, resolve: (_, args, context) => run(context, args.data as Data)};
}

type Text = {readonly value?: string | null} | null;

interface NestedKey {
  readonly name?: Text;
  readonly expiration?: Text;
  readonly account?: {readonly id: string} | null;
}

interface FlatKey {
  readonly name?: string | null;
  readonly expiration?: string | null;
}

/** Own keys and the own account: open to everybody who is known, on any branch. */
export function keyMutations(deps: AccessServices): GraphQLFieldConfigMap<unknown, FieldContext> {
  const create = async ({caller}: FieldContext, request: NewKey) => {
    const {id, secret} = await createKey(deps, caller, request);
    return {ok: true, object: {id, token: {value: secret}}};
  };
  return {
    ServiceAccountTokenCreate: field<NestedKey>(
      'ServiceAccountTokenCreateInput',
      {name: {type: TextInput}, expiration: {type: TextInput}, account: {type: AccountInput}},
      Made,
      'Makes an API key for the caller, or for another account by those who manage accounts.',
      (context, {name, expiration, account}) =>
        create(context, newKey(name?.value, expiration?.value, account?.id)),
    ),
    InfrahubAccountTokenCreate: field<FlatKey>(
      'InfrahubAccountTokenCreateInput',
      {name: {type: GraphQLString}, expiration: {type: GraphQLString}},
      Made,
      'Makes an API key for the caller.',
      (context, {name, expiration}) => create(context, newKey(name, expiration)),
    ),
    ServiceAccountTokenDelete: field<{readonly id: string}>(
      'ServiceAccountTokenDeleteInput',
      {id: {type: required}},
      Done('AccountTokenDelete'),
      'Ends an API key at once.',
      async ({caller}, {id}) => {
        await deleteKey(deps, caller, id);
        return {ok: true};
      },
    ),
    ServiceAccountSelfUpdate: field<{
      readonly password?: string | null;
      readonly description?: string | null;
    }>(
      'ServiceAccountUpdateSelfInput',
      {password: {type: GraphQLString}, description: {type: GraphQLString}},
      Done('AccountSelfUpdate'),
      "Changes the caller's own password or description.",
      async ({caller}, {password, description}) => {
        await updateOwnAccount(deps, caller, {
          ...(typeof password === 'string' ? {password} : {}),
          ...(typeof description === 'string' ? {description} : {}),
        });
        return {ok: true};
      },
    ),
  };
}

function newKey(name?: string | null, expiration?: string | null, account?: string | null): NewKey {
  return {
    ...(name ? {name} : {}),
    ...(expiration ? {expiration} : {}),
    ...(account ? {account} : {}),
  };
}
