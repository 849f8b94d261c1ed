import type {AttributeParameters} from '../attribute/check-value.ts';
import type {AttributeKind} from '../attribute/kinds.ts';

type ParameterName = keyof AttributeParameters;

const TEXT: readonly ParameterName[] = ['regex', 'min_length', 'max_length'];
const NUMBER: readonly ParameterName[] = ['min_value', 'max_value', 'excluded_values'];
const NONE: readonly ParameterName[] = [];

const PARAMETERS = {
  ID: TEXT,
  Text: TEXT,
  TextArea: TEXT,
  DateTime: TEXT,
  Email: TEXT,
  Password: TEXT,
  HashedPassword: TEXT,
  URL: TEXT,
  File: TEXT,
  MacAddress: TEXT,
  Color: TEXT,
  Dropdown: TEXT,
  Number: NUMBER,
  Bandwidth: NUMBER,
  IPHost: TEXT,
  IPNetwork: TEXT,
  Boolean: NONE,
  Checkbox: NONE,
  List: TEXT,
  JSON: NONE,
  Any: TEXT,
  NumberPool: ['start_range', 'end_range', 'number_pool_id'],
} as const satisfies Record<AttributeKind, readonly ParameterName[]>;

/** The parameters that mean something for values of the kind. */
export function parametersOfKind(kind: AttributeKind): readonly ParameterName[] {
  return PARAMETERS[kind];
}
