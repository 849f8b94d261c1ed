import type {AttributeEntry, RelationshipEntry} from '../document.ts';
import type {Location} from '../problem.ts';
import type {ComputedAttribute} from '../vocabulary.ts';
import {readObject} from './checks.ts';
import type {Problems} from './problems.ts';
import {ATTRIBUTE_TABLE, RELATIONSHIP_TABLE} from './tables.ts';

export function readAttribute(value: unknown, loc: Location, problems: Problems): AttributeEntry | undefined {
  const read = readObject(value, ATTRIBUTE_TABLE, ['name', ...unlessAbsent(value, 'kind')], loc, problems);
  if (read?.name === undefined) return undefined;
  const {regex, min_length, max_length, parameters, computed_attribute, inherited: _, ...rest} = read;
  const beside = {regex, min_length, max_length};
  const given = Object.entries(beside).filter(([, item]) => item !== undefined);
  return {
    ...rest,
    name: read.name,
    loc,
    state: read.state ?? 'present',
    choices: read.choices?.map(({id: _id, name, ...choice}) => ({...choice, name: name ?? ''})),
    parameters:
      parameters === undefined && given.length === 0
        ? undefined
        : {...Object.fromEntries(given), ...parameters},
    computed_attribute:
      computed_attribute === undefined ? undefined : readComputed(computed_attribute, loc, problems),
    deprecatedProperties: given.map(([name]) => name).filter(name => name !== 'regex'),
  };
}

function readComputed(
  read: {readonly kind?: string; readonly jinja2_template?: string; readonly transform?: string},
  loc: Location,
  problems: Problems,
): ComputedAttribute | undefined {
  const kind = read.kind ?? 'User';
  if (kind === 'User') return {kind};
  const key = kind === 'Jinja2' ? 'jinja2_template' : 'transform';
  const text = read[key];
  if (text === undefined) {
    const message = `a computed attribute of kind ${kind} needs ${key}; add it`;
    problems.add([...loc, 'computed_attribute', key], message, 'missing');
    return undefined;
  }
  return kind === 'Jinja2' ? {kind, jinja2_template: text} : {kind: 'TransformPython', transform: text};
}

export function readRelationship(
  value: unknown,
  loc: Location,
  problems: Problems,
): RelationshipEntry | undefined {
  const read = readObject(value, RELATIONSHIP_TABLE, ['name', ...unlessAbsent(value, 'peer')], loc, problems);
  if (read?.name === undefined) return undefined;
  const {inherited: _, hierarchical: _hierarchical, ...rest} = read;
  return {...rest, name: read.name, loc, state: read.state ?? 'present'};
}

/** An entry that removes its field need say no more than the name. */
function unlessAbsent<K extends string>(value: unknown, key: K): readonly K[] {
  return (value as {readonly state?: unknown} | null)?.state === 'absent' ? [] : [key];
}
