import type {JsonObject} from '../../../base/json.ts';
import type {KindSchema, Schema} from '../schema.ts';
import {kindToApi} from './kind-to-api.ts';

/** The whole schema as `GET /api/schema` answers it, or the kinds of some namespaces only. */
export function toApi(schema: Schema, namespaces?: ReadonlySet<string>): JsonObject {
  const list = (kinds: ReadonlyMap<string, KindSchema>) =>
    [...kinds.values()]
      .filter(kind => isShown(kind) && (namespaces?.has(kind.namespace) ?? true))
      .map(kind => kindToApi(schema, kind));
  return {
    main: schema.hash,
    nodes: list(schema.nodes),
    generics: list(schema.generics),
    profiles: list(schema.profiles),
    templates: list(schema.templates),
    namespaces: schema.namespaces,
  };
}

/** The hashes alone; profiles and templates follow from the rest. */
export function summaryToApi(schema: Schema): JsonObject {
  const hashes = (kinds: ReadonlyMap<string, KindSchema>) =>
    Object.fromEntries([...kinds.values()].filter(isShown).map(kind => [kind.kind, kind.hash]));
  return {main: schema.hash, nodes: hashes(schema.nodes), generics: hashes(schema.generics)};
}

const isShown = (kind: KindSchema): boolean => kind.namespace !== 'Internal';
