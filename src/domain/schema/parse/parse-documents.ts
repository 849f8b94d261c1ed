import type {
  AttributeEntry,
  ExtensionEntry,
  GenericEntry,
  NodeEntry,
  RelationshipEntry,
  SchemaDocument,
} from '../document.ts';
import {fieldsPerKindMax, kindsMax} from '../limits.ts';
import type {DocumentProblem, Location} from '../problem.ts';
import {isTooLong, readObject, type Table} from './checks.ts';
import {joinEntries} from './join-entries.ts';
import {Problems} from './problems.ts';
import {readAttribute, readRelationship} from './read-field.ts';
import {EXTENSION_TABLE, EXTENSIONS_TABLE, GENERIC_TABLE, NODE_TABLE, ROOT_TABLE} from './tables.ts';

export type ParsedDocuments =
  | {readonly ok: true; readonly document: SchemaDocument}
  | {readonly ok: false; readonly problems: readonly DocumentProblem[]};

/**
 * The list of schema roots of one request, as one document, or everything that is wrong with its shape.
 * `base` is where the list stands in the request.
 */
export function parseSchemaDocuments(schemas: unknown, base: Location): ParsedDocuments {
  const problems = new Problems();
  if (schemas === undefined) {
    problems.add(base, 'schemas is missing; send a list of schema documents', 'missing');
  } else if (!Array.isArray(schemas)) {
    problems.add(base, 'schemas must be a list of schema documents', 'list_type');
  } else if (schemas.length === 0) {
    problems.add(base, 'schemas is empty; send at least one schema document', 'too_short');
  } else {
    const roots = schemas.map((root, index) => readRoot(root, [...base, index], problems));
    const document = {
      nodes: joinEntries(
        roots.map(root => root.nodes),
        problems,
      ),
      generics: joinEntries(
        roots.map(root => root.generics),
        problems,
      ),
      extensions: joinEntries(
        roots.map(root => root.extensions),
        problems,
      ),
    };
    if (problems.count === 0) return {ok: true, document};
  }
  return {ok: false, problems: problems.list(base)};
}

function readRoot(value: unknown, loc: Location, problems: Problems): SchemaDocument {
  const root = readObject(value, ROOT_TABLE, ['version'], loc, problems);
  const extensionsLoc = [...loc, 'extensions'];
  const extensions =
    root?.extensions === undefined
      ? undefined
      : readObject(root.extensions, EXTENSIONS_TABLE, [], extensionsLoc, problems);
  return {
    nodes: readList(root?.nodes, [...loc, 'nodes'], problems, readNode, kindsMax),
    generics: readList(root?.generics, [...loc, 'generics'], problems, readGeneric, kindsMax),
    extensions: readList(extensions?.nodes, [...extensionsLoc, 'nodes'], problems, readExtension, kindsMax),
  };
}

type Reader<T> = (value: unknown, loc: Location, problems: Problems) => T | undefined;

function readList<T>(
  value: unknown,
  loc: Location,
  problems: Problems,
  read: Reader<T>,
  max: number,
): readonly T[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    problems.add(loc, `${loc.at(-1)} must be a list`, 'list_type');
    return [];
  }
  if (isTooLong(value, max, loc, problems)) return [];
  return value.flatMap((item, index) => read(item, [...loc, index], problems) ?? []);
}

const readNode: Reader<NodeEntry> = (value, loc, problems) =>
  readKind(value, NODE_TABLE, loc, problems) as NodeEntry | undefined;

const readGeneric: Reader<GenericEntry> = (value, loc, problems) => {
  const generic = readKind(value, GENERIC_TABLE, loc, problems) as
    | (GenericEntry & {readonly used_by?: unknown})
    | undefined;
  if (generic === undefined) return undefined;
  const {used_by: _, ...entry} = generic;
  return entry;
};

function readKind(value: unknown, table: Table, loc: Location, problems: Problems): object | undefined {
  const read = readObject(value, table, ['name', 'namespace'], loc, problems) as
    | (Partial<NodeEntry> & {readonly attributes?: unknown; readonly relationships?: unknown})
    | undefined;
  if (read === undefined) return undefined;
  const fields = readFields(read, loc, problems);
  if (read.name === undefined || read.namespace === undefined) return undefined;
  return {...read, loc, state: read.state ?? 'present', ...fields};
}

const readExtension: Reader<ExtensionEntry> = (value, loc, problems) => {
  const read = readObject(value, EXTENSION_TABLE, ['kind'], loc, problems);
  if (read === undefined) return undefined;
  const fields = readFields(read, loc, problems);
  return read.kind === undefined ? undefined : {kind: read.kind, loc, ...fields};
};

type Fields = {
  readonly attributes: readonly AttributeEntry[];
  readonly relationships: readonly RelationshipEntry[];
};

function readFields(
  entry: {readonly attributes?: unknown; readonly relationships?: unknown},
  loc: Location,
  problems: Problems,
): Fields {
  const fields = {
    attributes: readList(entry.attributes, [...loc, 'attributes'], problems, readAttribute, fieldsPerKindMax),
    relationships: readList(
      entry.relationships,
      [...loc, 'relationships'],
      problems,
      readRelationship,
      fieldsPerKindMax,
    ),
  };
  const names = new Set<string>();
  for (const field of [...fields.attributes, ...fields.relationships]) {
    if (names.has(field.name)) {
      const message = `${field.name} appears twice among the attributes and relationships; keep one of them`;
      problems.add([...field.loc, 'name'], message, 'duplicate');
    }
    names.add(field.name);
  }
  return fields;
}
