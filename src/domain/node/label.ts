import {must} from '../../base/assert.ts';
import type {Json} from '../../base/json.ts';
import type {ParsedTemplate} from '../attribute/jinja/template.ts';
import {parseTemplate, renderTemplate} from '../attribute/jinja/template.ts';
import {isTemplate} from '../schema/rules/template-paths.ts';
import type {KindSchema} from '../schema/schema.ts';
import {partText} from './text-part.ts';

/** Answers what stands at `id`, `attr__property` or `rel__attr__property` of one object. */
export type PathValues = (path: string) => Json;

/** Which attributes of the object and of its single peers the label is made of. */
export function labelPaths(kind: KindSchema): readonly string[] {
  const {display_label} = kind;
  if (display_label === null) return (kind.display_labels ?? []).map(withProperty);
  if (!isTemplate(display_label)) return [withPeerProperty(kind, display_label)];
  const parsed = templateOf(display_label);
  return parsed.ok ? parsed.variables.map(path => withPeerProperty(kind, path)) : [];
}

/** Which attributes of the object and of its single peers the human-friendly id is made of. */
export function hfidPaths(kind: KindSchema): readonly string[] {
  return kind.human_friendly_id ?? [];
}

/** How people are shown the object. Asks for `labelPaths`, and for `id` where there is nothing better. */
export function displayLabel(kind: KindSchema, values: PathValues): string {
  const {display_label} = kind;
  if (display_label !== null && isTemplate(display_label)) {
    return rendered(kind, display_label, values) ?? plainLabel(kind, values);
  }
  const paths = labelPaths(kind);
  if (paths.length === 0) return plainLabel(kind, values);
  return paths
    .map(path => values(path))
    .filter(value => value !== null)
    .map(partText)
    .join(' ')
    .trim();
}

/** By which texts people know the object; null when its kind has none, or a part has no value. */
export function hfidOf(kind: KindSchema, values: PathValues): readonly string[] | null {
  const paths = hfidPaths(kind);
  if (paths.length === 0) return null;
  const parts: string[] = [];
  for (const path of paths) {
    const value = values(path);
    if (value === null) return null;
    parts.push(partText(value));
  }
  return parts;
}

const plainLabel = (kind: KindSchema, values: PathValues): string =>
  `${kind.kind}(ID: ${partText(values('id'))})`;

function rendered(kind: KindSchema, text: string, values: PathValues): string | undefined {
  const parsed = templateOf(text);
  if (!parsed.ok) return undefined;
  const variables: Record<string, Json> = {};
  for (const path of parsed.variables) variables[path] = values(withPeerProperty(kind, path));
  const outcome = renderTemplate(parsed.template, variables);
  return outcome.ok ? outcome.text.trim() : undefined;
}

const withProperty = (path: string): string => (path.includes('__') ? path : `${path}__value`);

/** A path may leave out its property: then it means the value. */
function withPeerProperty(kind: KindSchema, path: string): string {
  const [first = '', second] = path.split('__');
  if (kind.fields.get(first)?.is === 'attribute') return withProperty(path);
  return path.split('__').length === 2 ? `${first}__${second}__value` : path;
}

const TEMPLATES_MAX = 1_000;
const templates = new Map<string, ParsedTemplate>();

/** Labels are rendered for every object shown: each template is parsed once. */
function templateOf(text: string): ParsedTemplate {
  const known = templates.get(text);
  if (known !== undefined) return known;
  if (templates.size >= TEMPLATES_MAX) templates.clear();
  templates.set(text, parseTemplate(text));
  return must(templates.get(text), 'the template just parsed');
}
