import type {JsonObject} from '../../../base/json.ts';
import type {AttributeKind} from '../../attribute/kinds.ts';
import type {AttributeSchema, KindSchema} from '../schema.ts';

const STRING = {type: 'string'};

const TYPES = {
  ID: {type: 'integer'},
  Text: STRING,
  TextArea: STRING,
  DateTime: {type: 'string', format: 'date-time'},
  Email: {type: 'string', format: 'email'},
  Password: STRING,
  HashedPassword: STRING,
  URL: {type: 'string', format: 'uri', minLength: 1, maxLength: 2083},
  File: STRING,
  MacAddress: STRING,
  Color: STRING,
  Dropdown: STRING,
  Number: {type: 'number'},
  Bandwidth: {type: 'number'},
  IPHost: {type: 'string', format: 'ipvanyaddress'},
  IPNetwork: STRING,
  Boolean: {type: 'boolean'},
  Checkbox: {type: 'boolean'},
  List: {type: 'array'},
  JSON: {type: 'string', contentMediaType: 'application/json'},
  Any: {},
  NumberPool: {type: 'number'},
} as const satisfies Record<AttributeKind, JsonObject>;

/** The attributes of a kind as a JSON Schema (draft 7). */
export function jsonSchemaOf(kind: KindSchema): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: kind.name,
    ...(kind.description === null ? {} : {description: kind.description}),
    type: 'object',
    properties: Object.fromEntries(kind.attributes.map(each => [each.name, propertyOf(each)])),
    required: kind.attributes.filter(each => !each.optional).map(each => each.name),
  };
}

function propertyOf(attribute: AttributeSchema): JsonObject {
  const members = attribute.enum ?? attribute.choices?.map(choice => choice.name);
  return {
    title: attribute.label,
    ...TYPES[attribute.kind],
    ...(attribute.description === null ? {} : {description: attribute.description}),
    ...(members === undefined ? {} : {enum: members}),
    ...(attribute.optional ? {default: attribute.default_value} : {}),
  };
}
