import {ATTRIBUTE_KINDS} from '../../attribute/kinds.ts';
import {
  descriptionLengthMax,
  fieldLabelLengthMax,
  identifierLengthMax,
  kindLabelLengthMax,
  kindLengthMax,
  nameLengthMax,
  nameLengthMin,
  nodeNameLengthMin,
  templateLengthMax,
  textLengthMax,
} from '../limits.ts';
import {
  BRANCH_SUPPORTS,
  CARDINALITIES,
  COMPUTED_KINDS,
  DECLARABLE_RELATIONSHIP_KINDS,
  DELETE_BEHAVIOURS,
  DIRECTIONS,
  OVERRIDES,
  STATES,
} from '../vocabulary.ts';
import {
  anyJson,
  bool,
  type Check,
  integer,
  later,
  listOf,
  oneOf,
  readObject,
  type TextRule,
  text,
} from './checks.ts';

const KIND_WORDS = 'begin with a capital letter and hold only letters and digits';
const kindRule: TextRule = {min: 2, max: kindLengthMax, pattern: /^[A-Z][a-zA-Z0-9]+$/, meaning: KIND_WORDS};
const kindText = text(kindRule);
const kindOrNothing: Check<string> = (value, loc, problems) =>
  value === '' ? '' : kindText(value, loc, problems);

const nodeName = text({...kindRule, min: nodeNameLengthMin, max: nameLengthMax});
const PYTHON_KEYWORDS: ReadonlySet<unknown> = new Set(['None', 'True', 'False']);
const safeNodeName: Check<string> = (value, loc, problems) => {
  if (!PYTHON_KEYWORDS.has(value)) return nodeName(value, loc, problems);
  problems.add(loc, `name must not be the Python keyword ${value}; choose another name`, 'value_error');
  return undefined;
};

const namespace = text({
  min: nameLengthMin,
  max: nameLengthMax,
  pattern: /^[A-Z][a-z0-9]+$/,
  meaning: 'begin with a capital letter and hold only small letters and digits after it',
});

const lowerCase = {pattern: /^[a-z0-9_]+$/, meaning: 'hold only small letters, digits and underscores'};
const fieldName = text({min: nameLengthMin, max: nameLengthMax, ...lowerCase});
const safeFieldName: Check<string> = (value, loc, problems) => {
  const name = fieldName(value, loc, problems);
  if (name === undefined || !(/^[0-9_]/.test(name) || name.includes('__'))) return name;
  const why = 'it becomes a GraphQL field and a step of a path such as name__value';
  problems.add(loc, `name must begin with a letter and hold no double underscore: ${why}`, 'value_error');
  return undefined;
};

const words = text({max: textLengthMax});
const path = text({min: 1, max: textLengthMax});
const paths = listOf(path, 'paths');
const lowerColor: Check<string> = (value, loc, problems) =>
  text({max: 7, pattern: /^#[0-9a-fA-F]{6}$/, meaning: 'be a colour such as #1f77b4'})(
    value,
    loc,
    problems,
  )?.toLowerCase();

const KIND_TABLE = {
  id: words,
  name: safeNodeName,
  namespace,
  label: text({max: kindLabelLengthMax}),
  description: text({max: descriptionLengthMax}),
  branch: oneOf(BRANCH_SUPPORTS),
  human_friendly_id: paths,
  display_label: text({min: 1, max: templateLengthMax}),
  display_labels: paths,
  default_filter: path,
  order_by: paths,
  uniqueness_constraints: listOf(paths, 'lists of paths'),
  include_in_menu: bool,
  menu_placement: words,
  icon: words,
  documentation: words,
  generate_profile: bool,
  generate_template: bool,
  state: oneOf(STATES),
  attributes: later,
  relationships: later,
};

export const NODE_TABLE = {
  ...KIND_TABLE,
  inherit_from: listOf(kindText, 'kinds'),
  hierarchy: kindText,
  parent: kindOrNothing,
  children: kindOrNothing,
};

/** `used_by` is the service's own word; it is accepted so that an answer can be sent back, and ignored. */
export const GENERIC_TABLE = {
  ...KIND_TABLE,
  hierarchical: bool,
  used_by: listOf(kindText, 'kinds'),
  restricted_namespaces: listOf(namespace, 'namespaces'),
};

export const EXTENSION_TABLE = {kind: kindText, attributes: later, relationships: later};

const FIELD_TABLE = {
  id: words,
  name: safeFieldName,
  label: text({max: fieldLabelLengthMax}),
  description: text({max: descriptionLengthMax}),
  order_weight: integer(Number.MIN_SAFE_INTEGER),
  deprecation: text({max: descriptionLengthMax}),
  display: words,
  branch: oneOf(BRANCH_SUPPORTS),
  optional: bool,
  read_only: bool,
  allow_override: oneOf(OVERRIDES),
  inherited: bool,
  state: oneOf(STATES),
};

const CHOICE_TABLE = {
  id: words,
  name: text({min: 1, max: textLengthMax}),
  label: words,
  color: lowerColor,
  description: words,
};

const PARAMETER_TABLE = {
  regex: text({max: templateLengthMax}),
  min_length: integer(0),
  max_length: integer(0),
  min_value: integer(Number.MIN_SAFE_INTEGER),
  max_value: integer(Number.MIN_SAFE_INTEGER),
  excluded_values: text({max: templateLengthMax}),
  start_range: integer(Number.MIN_SAFE_INTEGER),
  end_range: integer(Number.MIN_SAFE_INTEGER),
  number_pool_id: words,
};

const COMPUTED_TABLE = {
  kind: oneOf(COMPUTED_KINDS),
  jinja2_template: text({min: 1, max: templateLengthMax}),
  transform: text({min: 1, max: textLengthMax}),
};

export const ATTRIBUTE_TABLE = {
  ...FIELD_TABLE,
  kind: oneOf(ATTRIBUTE_KINDS),
  default_value: anyJson,
  unique: bool,
  enum: listOf(anyJson, 'values'),
  choices: listOf(
    (value, loc, problems) => readObject(value, CHOICE_TABLE, ['name'], loc, problems),
    'choices',
  ),
  regex: PARAMETER_TABLE.regex,
  min_length: PARAMETER_TABLE.min_length,
  max_length: PARAMETER_TABLE.max_length,
  parameters: ((value, loc, problems) =>
    readObject(value, PARAMETER_TABLE, [], loc, problems)) satisfies Check<unknown>,
  computed_attribute: ((value, loc, problems) =>
    readObject(value, COMPUTED_TABLE, [], loc, problems)) satisfies Check<unknown>,
};

/** `hierarchical` and `inherited` are the service's own words: accepted and ignored. */
export const RELATIONSHIP_TABLE = {
  ...FIELD_TABLE,
  peer: kindText,
  kind: oneOf(DECLARABLE_RELATIONSHIP_KINDS),
  identifier: text({min: 1, max: identifierLengthMax, ...lowerCase}),
  cardinality: oneOf(CARDINALITIES),
  min_count: integer(0),
  max_count: integer(0),
  common_parent: fieldName,
  common_relatives: listOf(fieldName, 'relationship names'),
  direction: oneOf(DIRECTIONS),
  on_delete: oneOf(DELETE_BEHAVIOURS),
  hierarchical: words,
};

export const ROOT_TABLE = {
  version: words,
  nodes: later,
  generics: later,
  extensions: later,
};

export const EXTENSIONS_TABLE = {nodes: later};
