import {must} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import {sameJson} from '../../base/json.ts';
import {convertValue} from '../../domain/attribute/convert-value.ts';
import type {BranchName} from '../../domain/branch/branch.ts';
import {kindNotFound, validationError} from '../../domain/errors.ts';
import {declareChoices} from '../../domain/schema/apply/choices.ts';
import {builtinSource} from '../../domain/schema/builtin/builtin-source.ts';
import type {Choice} from '../../domain/schema/document.ts';
import {attributeOf, kindOf} from '../../domain/schema/lookup.ts';
import {parseSchemaDocuments} from '../../domain/schema/parse/parse-documents.ts';
import type {LoadPlan} from '../../domain/schema/plan-load.ts';
import {processSchema} from '../../domain/schema/process/process-schema.ts';
import type {ChoiceSchema} from '../../domain/schema/schema.ts';
import type {AttributeDefinition, KindDefinition, SchemaSource} from '../../domain/schema/source.ts';
import {RESTRICTED_NAMESPACES} from '../../domain/schema/vocabulary.ts';
import type {Caller} from '../caller.ts';
import {changeSchema, type SchemaDeps, type SchemaOutcome} from './change-schema.ts';
import {authorizeSchemaChange} from './load-schema.ts';
import {schemaInvalid, unplaced} from './schema-invalid.ts';

export interface MemberRequest {
  readonly branch: BranchName;
  readonly kind: string;
  readonly attribute: string;
}

/** Adds a choice to a dropdown and answers it as it is shown. */
export async function addDropdownChoice(
  deps: SchemaDeps,
  caller: Caller,
  request: MemberRequest & {readonly choice: Choice},
): Promise<ChoiceSchema> {
  const choice = checkedChoice(request);
  const {schema} = await changeAttribute(deps, caller, request, attribute => {
    requireDropdown(request, attribute);
    const choices = attribute.choices ?? [];
    if (choices.some(({name}) => name === choice.name)) {
      throw validationError(`The dropdown ${shown(request)} already has the choice ${choice.name}`);
    }
    const plain = choices.map(({name}) => ({name}));
    return {...attribute, choices: declareChoices(choices, [...plain, choice])};
  });
  const kind = must(kindOf(schema, request.kind), request.kind);
  const choices = attributeOf(kind, request.attribute)?.choices;
  return must(
    choices?.find(({name}) => name === choice.name),
    'the choice just added',
  );
}

export async function removeDropdownChoice(
  deps: SchemaDeps,
  caller: Caller,
  request: MemberRequest & {readonly choice: string},
): Promise<void> {
  await changeAttribute(deps, caller, request, attribute => {
    requireDropdown(request, attribute);
    const choices = (attribute.choices ?? []).filter(({name}) => name !== request.choice);
    if (choices.length === (attribute.choices ?? []).length) {
      throw validationError(`The dropdown ${shown(request)} has no choice ${request.choice}`);
    }
    return {...attribute, choices};
  });
}

export async function addEnumMember(
  deps: SchemaDeps,
  caller: Caller,
  request: MemberRequest & {readonly member: Json},
): Promise<void> {
  await changeAttribute(deps, caller, request, attribute => {
    const {members, member} = membersOf(request, attribute);
    if (members.some(each => sameJson(each, member))) {
      throw validationError(`The enum ${shown(request)} already has the member ${JSON.stringify(member)}`);
    }
    return {...attribute, enum: [...members, member]};
  });
}

export async function removeEnumMember(
  deps: SchemaDeps,
  caller: Caller,
  request: MemberRequest & {readonly member: Json},
): Promise<void> {
  await changeAttribute(deps, caller, request, attribute => {
    const {members, member} = membersOf(request, attribute);
    const left = members.filter(each => !sameJson(each, member));
    if (left.length === members.length) {
      throw validationError(`The enum ${shown(request)} has no member ${JSON.stringify(member)}`);
    }
    return {...attribute, enum: left};
  });
}

type Edit = (attribute: AttributeDefinition) => AttributeDefinition;

async function changeAttribute(
  deps: SchemaDeps,
  caller: Caller,
  request: MemberRequest,
  edit: Edit,
): Promise<SchemaOutcome> {
  const {branch} = request;
  authorizeSchemaChange(deps, caller, branch);
  const plan = (stored: SchemaSource) => planEdit(stored, request, edit);
  return changeSchema(deps, {
    branch,
    author: {account: caller.account, message: `Change the values of ${shown(request)}`},
    planAhead: async stored => plan(stored),
    planNow: plan,
    place: unplaced,
  });
}

function planEdit(stored: SchemaSource, request: MemberRequest, edit: Edit): LoadPlan {
  const home = homeOf(stored, request);
  const attributes = home.attributes.map(each => (each.name === request.attribute ? edit(each) : each));
  const kinds = new Map(stored.kinds);
  kinds.set(home.namespace + home.name, {...home, attributes});
  const source = {...stored, kinds};
  const {schema, problems} = processSchema(source);
  if (problems.length > 0) return {is: 'refused', problems: unplaced(problems)};
  return {is: 'changed', source, schema, warnings: []};
}

/** The kind that declares the attribute: its own, or the generic that it is inherited from. */
function homeOf(stored: SchemaSource, request: MemberRequest): KindDefinition {
  const kind = stored.kinds.get(request.kind);
  if (kind === undefined) throw kindNotFound(request.kind);
  const generics =
    kind.type === 'node' ? kind.inherit_from.flatMap(name => stored.kinds.get(name) ?? []) : [];
  const home = [kind, ...generics].find(each => has(each, request.attribute));
  if (home === undefined) throw validationError(`${request.kind} has no attribute ${request.attribute}`);
  const builtin = builtinSource().kinds.get(home.namespace + home.name);
  if (RESTRICTED_NAMESPACES.has(home.namespace) && builtin !== undefined && has(builtin, request.attribute)) {
    throw validationError(`${shown(request)} comes with the service and cannot be changed`);
  }
  return home;
}

const has = (kind: KindDefinition, attribute: string): boolean =>
  kind.attributes.some(({name}) => name === attribute);

function requireDropdown(request: MemberRequest, {kind}: AttributeDefinition): void {
  if (kind !== 'Dropdown') throw validationError(`${shown(request)} is no Dropdown`);
}

/** The choice as a document that declares it would be read. */
function checkedChoice({kind, attribute, choice}: MemberRequest & {readonly choice: Choice}): Choice {
  const entry = {name: attribute, kind: 'Dropdown', choices: [choice]};
  const root = {version: '1.0', extensions: {nodes: [{kind, attributes: [entry]}]}};
  const parsed = parseSchemaDocuments([root], []);
  if (!parsed.ok) throw schemaInvalid(parsed.problems.map(problem => ({...problem, loc: [attribute]})));
  return must(parsed.document.extensions[0]?.attributes[0]?.choices?.[0], 'the choice just read');
}

function membersOf(
  request: MemberRequest & {readonly member: Json},
  attribute: AttributeDefinition,
): {readonly members: readonly Json[]; readonly member: Json} {
  if (attribute.enum === null) throw validationError(`${shown(request)} has no enum`);
  // Members arrive as text; those of a number are numbers.
  const converted = convertValue('Text', attribute.kind, request.member);
  if (!converted.ok) throw validationError(`A member of ${shown(request)} ${converted.problem}`);
  return {members: attribute.enum, member: converted.value};
}

const shown = ({kind, attribute}: MemberRequest): string => `${kind}.${attribute}`;
