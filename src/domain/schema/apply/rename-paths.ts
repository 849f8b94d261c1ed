import type {KindDefinition} from '../source.ts';

/** Which step of a path a renamed field stands at: its own kind names it first, a kind that points there second. */
export type Renaming = {
  readonly from: string;
  readonly to: string;
  /** The relationships that lead to the renamed field's kind; undefined when it is the kind's own field. */
  readonly through?: ReadonlySet<string>;
};

export function renameInPath(path: string, {from, to, through}: Renaming): string {
  const steps = path.split('__');
  const at = through === undefined ? 0 : 1;
  if (steps[at] !== from || (through !== undefined && !through.has(steps[0] ?? ''))) return path;
  return steps.with(at, to).join('__');
}

/** Every path and template of the kind, with the field under its new name; the same object if none names it. */
export function renameInKind<T extends KindDefinition>(kind: T, renaming: Renaming): T {
  const list = (paths: readonly string[] | null) => paths?.map(path => renameInPath(path, renaming)) ?? null;
  const text = (value: string) => renameInTemplate(value, renaming);
  const next = {
    ...kind,
    human_friendly_id: list(kind.human_friendly_id),
    display_label: kind.display_label === null ? null : text(kind.display_label),
    display_labels: list(kind.display_labels),
    default_filter: kind.default_filter === null ? null : renameInPath(kind.default_filter, renaming),
    order_by: list(kind.order_by),
    uniqueness_constraints: kind.uniqueness_constraints?.map(paths => list(paths) ?? []) ?? null,
    attributes: kind.attributes.map(attribute =>
      attribute.computed_attribute?.kind === 'Jinja2'
        ? {
            ...attribute,
            computed_attribute: {
              ...attribute.computed_attribute,
              jinja2_template: text(attribute.computed_attribute.jinja2_template),
            },
          }
        : attribute,
    ),
  };
  return JSON.stringify(next) === JSON.stringify(kind) ? kind : next;
}

function renameInTemplate(template: string, renaming: Renaming): string {
  return template.replaceAll(/[a-z0-9_]+/g, word =>
    word.includes('__') || word === template ? renameInPath(word, renaming) : word,
  );
}
