import {constraintViolation} from '../../../domain/errors.ts';
import type {NodeRecord} from '../../../domain/graph/node.ts';
import {displayLabel} from '../../../domain/node/label.ts';
import {concreteKindOf} from '../../../domain/schema/lookup.ts';
import type {Schema} from '../../../domain/schema/schema.ts';

/** How many objects are named for one constraint, and for how many constraints. */
export const OBJECTS_NAMED_MAX = 20;
const CONSTRAINTS_NAMED_MAX = 50;

/** What a change of schema asks of the objects that are there. */
export interface Constraint {
  /** As `attribute.regex.update`. */
  readonly name: string;
  /** As `schema/InfraDevice/name/regex`. */
  readonly path: string;
}

interface Group {
  readonly constraint: Constraint;
  readonly named: {readonly kind: string; readonly id: string; readonly label: string}[];
  count: number;
}

/** The objects in the way of a change of schema, gathered so that all are told at once. */
export class Violations {
  readonly #schema: Schema;
  readonly #groups = new Map<string, Group>();

  /** The schema that the objects have now: by it they are called. */
  constructor(schema: Schema) {
    this.#schema = schema;
  }

  add(constraint: Constraint, node: NodeRecord): void {
    const group = this.#group(constraint);
    group.count += 1;
    if (group.named.length < OBJECTS_NAMED_MAX) group.named.push(this.#describe(node));
  }

  /** Some of the objects, and how many there are in all. */
  addSome(constraint: Constraint, nodes: readonly NodeRecord[], count: number): void {
    if (count === 0) return;
    for (const node of nodes) this.add(constraint, node);
    this.#group(constraint).count += count - nodes.length;
  }

  get count(): number {
    let count = 0;
    for (const group of this.#groups.values()) count += group.count;
    return count;
  }

  refuseAny(): void {
    if (this.#groups.size === 0) return;
    const groups = [...this.#groups.values()].slice(0, CONSTRAINTS_NAMED_MAX);
    const rest = this.#groups.size - groups.length;
    const lines = groups.flatMap(groupLines);
    if (rest > 0) lines.push(`${rest} more constraints are not met`);
    throw constraintViolation(lines.join(',\n'), {
      count: this.count,
      violations: groups.map(({constraint, named, count}) => ({
        constraint: constraint.name,
        path: constraint.path,
        objects: named,
        count,
      })),
    });
  }

  #group(constraint: Constraint): Group {
    const key = `${constraint.path} ${constraint.name}`;
    const group = this.#groups.get(key) ?? {constraint, named: [], count: 0};
    this.#groups.set(key, group);
    return group;
  }

  #describe(node: NodeRecord) {
    const kind = concreteKindOf(this.#schema, node.kind);
    const label =
      kind === undefined
        ? ''
        : displayLabel(kind, path => {
            if (path === 'id') return node.id;
            const [attribute = '', property] = path.split('__');
            return property === 'value' ? node.value(attribute) : null;
          });
    return {kind: node.kind, id: node.id, label: label === '' ? node.id : label};
  }
}

function groupLines({constraint, named, count}: Group): string[] {
  const what = `the constraint '${constraint.name}' at '${constraint.path}'`;
  const lines = named.map(({kind, id, label}) => `${label} (${kind}: ${id}) is not compatible with ${what}`);
  const more = count - named.length;
  if (more > 0) lines.push(`${more} more objects are not compatible with ${what}`);
  return lines;
}
