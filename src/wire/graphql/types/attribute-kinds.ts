import {GraphQLBoolean, GraphQLInt, type GraphQLScalarType, GraphQLString} from 'graphql';
import type {AttributeKind} from '../../../domain/attribute/kinds.ts';
import {BigIntScalar, DateTimeScalar, GenericScalar} from './scalars.ts';

/** How attributes of a kind appear: their output type, their input types, and the scalar of their filters. */
export interface AttributeFace {
  readonly output: OutputName;
  readonly value: GraphQLScalarType;
  readonly input: InputName;
  readonly filter: GraphQLScalarType;
}

export type OutputName =
  | 'TextAttribute'
  | 'Dropdown'
  | 'MacAddress'
  | 'NumberAttribute'
  | 'IPHost'
  | 'IPNetwork'
  | 'CheckboxAttribute'
  | 'ListAttribute'
  | 'JSONAttribute'
  | 'AnyAttribute';

export type InputName = 'Text' | 'Number' | 'Checkbox' | 'List' | 'JSON' | 'Any';

const TEXT: AttributeFace = {
  output: 'TextAttribute',
  value: GraphQLString,
  input: 'Text',
  filter: GraphQLString,
};
const NUMBER: AttributeFace = {
  output: 'NumberAttribute',
  value: BigIntScalar,
  input: 'Number',
  filter: BigIntScalar,
};
const CHECKBOX: AttributeFace = {
  output: 'CheckboxAttribute',
  value: GraphQLBoolean,
  input: 'Checkbox',
  filter: GraphQLBoolean,
};

const json = (output: OutputName, input: InputName): AttributeFace => ({
  output,
  value: GenericScalar,
  input,
  filter: GenericScalar,
});

export const ATTRIBUTE_FACES = {
  ID: TEXT,
  Text: TEXT,
  TextArea: TEXT,
  DateTime: {...TEXT, filter: DateTimeScalar},
  Email: TEXT,
  Password: TEXT,
  HashedPassword: TEXT,
  URL: TEXT,
  File: TEXT,
  MacAddress: {...TEXT, output: 'MacAddress'},
  Color: TEXT,
  Dropdown: {...TEXT, output: 'Dropdown'},
  Number: NUMBER,
  Bandwidth: {...NUMBER, filter: GraphQLInt},
  IPHost: {...TEXT, output: 'IPHost'},
  IPNetwork: {...TEXT, output: 'IPNetwork'},
  Boolean: CHECKBOX,
  Checkbox: CHECKBOX,
  List: json('ListAttribute', 'List'),
  JSON: json('JSONAttribute', 'JSON'),
  Any: json('AnyAttribute', 'Any'),
  NumberPool: NUMBER,
} as const satisfies Record<AttributeKind, AttributeFace>;
