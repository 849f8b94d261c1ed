import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import {validationError} from '../errors.ts';

/** A file of objects or menu items: one kind, many rows. */
export interface ObjectFile {
  readonly kind: string;
  readonly rows: readonly JsonObject[];
}

/** Reads `{kind: Object, spec: {kind, data: [...]}}`. */
export function readObjectFile(document: Json, path: string): ObjectFile {
  const spec = specOf(document, path, 'Object');
  if (typeof spec.kind !== 'string') throw validationError(`${path}: spec needs the kind of its objects`);
  return {kind: spec.kind, rows: rowsOf(spec.data ?? null, path)};
}

/** Reads `{kind: Menu, spec: {data: [...]}}`. */
export const readMenuFile = (document: Json, path: string): readonly JsonObject[] =>
  rowsOf(specOf(document, path, 'Menu').data ?? null, path);

/** What the rows below a row of a menu or a relationship are: a list, or a list under `data`. */
export function rowsOf(data: Json, path: string): readonly JsonObject[] {
  if (!Array.isArray(data)) throw validationError(`${path}: data is not a list`);
  const rows: readonly Json[] = data;
  if (!rows.every(isJsonObject)) throw validationError(`${path}: every row of data is a map`);
  return rows;
}

function specOf(document: Json, path: string, kind: string): JsonObject {
  if (!isJsonObject(document) || document.kind !== kind) {
    throw validationError(`${path}: is not a file of the kind ${kind}`);
  }
  if (!isJsonObject(document.spec)) throw validationError(`${path}: has no spec`);
  return document.spec;
}
