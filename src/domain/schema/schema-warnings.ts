import type {SchemaDocument} from './document.ts';
import {kindName} from './source.ts';

export type SchemaWarning = {
  readonly type: 'deprecation';
  readonly kinds: readonly {readonly kind: string; readonly field: string | null}[];
  readonly message: string;
};

const MESSAGES = {
  display_labels: 'display_labels is deprecated; use display_label, a path or a template',
  default_filter: 'default_filter is deprecated; use human_friendly_id',
  min_length: 'min_length beside the attribute is deprecated; move it into parameters',
  max_length: 'max_length beside the attribute is deprecated; move it into parameters',
} as const;

/** What a document uses that will go away one day, and fields that it declares as going away. */
export function schemaWarnings(document: SchemaDocument): readonly SchemaWarning[] {
  const found = new Map<string, {kind: string; field: string | null}[]>();
  const warn = (message: string, kind: string, field: string | null) => {
    const kinds = found.get(message);
    if (kinds === undefined) found.set(message, [{kind, field}]);
    else kinds.push({kind, field});
  };
  const entries = [...document.nodes, ...document.generics];
  for (const entry of entries) {
    const kind = kindName(entry);
    if (entry.display_labels !== undefined) warn(MESSAGES.display_labels, kind, null);
    if (entry.default_filter !== undefined) warn(MESSAGES.default_filter, kind, null);
  }
  const holders = [
    ...entries.map(entry => ({kind: kindName(entry), entry})),
    ...document.extensions.map(entry => ({kind: entry.kind, entry})),
  ];
  for (const {kind, entry} of holders) {
    for (const attribute of entry.attributes) {
      for (const property of attribute.deprecatedProperties) {
        warn(MESSAGES[property as 'min_length' | 'max_length'], kind, attribute.name);
      }
    }
    for (const field of [...entry.attributes, ...entry.relationships]) {
      if (field.deprecation !== undefined)
        warn(`${field.name} is deprecated: ${field.deprecation}`, kind, field.name);
    }
  }
  return [...found].map(([message, kinds]) => ({type: 'deprecation', kinds, message}));
}
