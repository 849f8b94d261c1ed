import {assert} from '../../../base/assert.ts';
import {layDocument} from '../apply/lay-document.ts';
import type {SchemaDocument} from '../document.ts';
import {parseSchemaDocuments} from '../parse/parse-documents.ts';
import {EMPTY_SOURCE, type SchemaSource} from '../source.ts';
import {accounts} from './accounts.ts';
import {artifacts} from './artifacts.ts';
import {groups} from './groups.ts';
import {lineage} from './lineage.ts';
import {menu} from './menu.ts';
import {permissions} from './permissions.ts';
import {profilesAndTemplates} from './profiles-and-templates.ts';
import {repositories} from './repositories.ts';
import {tags} from './tags.ts';
import {transformations} from './transformations.ts';

const ROOTS = [
  lineage,
  profilesAndTemplates,
  groups,
  tags,
  accounts,
  permissions,
  menu,
  transformations,
  repositories,
  artifacts,
];

let document: SchemaDocument | undefined;
let source: SchemaSource | undefined;

/** The schema of an empty database. */
export function builtinSource(): SchemaSource {
  source ??= withBuiltins(EMPTY_SOURCE);
  return source;
}

/**
 * The schema with every built-in kind as this version of the service defines it: what an upgrade brings.
 * It is the very source given when that is up to date.
 */
export function withBuiltins(stored: SchemaSource): SchemaSource {
  document ??= builtinDocument();
  const {source: next, problems} = layDocument(stored, document);
  assert(problems.length === 0, `the built-in kinds do not fit: ${JSON.stringify(problems)}`);
  return next;
}

function builtinDocument(): SchemaDocument {
  const parsed = parseSchemaDocuments(
    ROOTS.map(root => ({version: '1.0', ...root})),
    ['builtin'],
  );
  assert(parsed.ok, `the built-in kinds are malformed: ${JSON.stringify(parsed)}`);
  return parsed.document;
}
