export type AttributeKind =
  | 'ID'
  | 'Text'
  | 'TextArea'
  | 'DateTime'
  | 'Email'
  | 'Password'
  | 'HashedPassword'
  | 'URL'
  | 'File'
  | 'MacAddress'
  | 'Color'
  | 'Dropdown'
  | 'Number'
  | 'Bandwidth'
  | 'IPHost'
  | 'IPNetwork'
  | 'Boolean'
  | 'Checkbox'
  | 'List'
  | 'JSON'
  | 'Any'
  | 'NumberPool';

const PATH_PROPERTIES = {
  ID: ['value'],
  Text: ['value'],
  TextArea: ['value'],
  DateTime: ['value'],
  Email: ['value'],
  Password: ['value'],
  HashedPassword: ['value'],
  URL: ['value'],
  File: ['value'],
  MacAddress: ['value'],
  Color: ['value'],
  Dropdown: ['value'],
  Number: ['value'],
  Bandwidth: ['value'],
  IPHost: ['value', 'version', 'binary_address'],
  IPNetwork: ['value', 'version', 'binary_address', 'prefixlen'],
  Boolean: ['value'],
  Checkbox: ['value'],
  List: ['value'],
  JSON: ['value'],
  Any: ['value'],
  NumberPool: ['value'],
} as const satisfies Record<AttributeKind, readonly string[]>;

export const ATTRIBUTE_KINDS: readonly AttributeKind[] = Object.keys(PATH_PROPERTIES) as AttributeKind[];

/** What may follow the attribute in a path such as `address__version`. */
export function pathProperties(kind: AttributeKind): readonly string[] {
  return PATH_PROPERTIES[kind];
}
