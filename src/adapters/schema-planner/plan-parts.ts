import {must} from '../../base/assert.ts';
import {allKinds} from '../../domain/schema/lookup.ts';
import type {LoadPlan} from '../../domain/schema/plan-load.ts';
import type {
  GenericSchema,
  KindSchema,
  NodeSchema,
  ProfileSchema,
  Schema,
  TemplateSchema,
} from '../../domain/schema/schema.ts';
import type {KindDefinition, SchemaSource} from '../../domain/schema/source.ts';
import {kindName} from '../../domain/schema/source.ts';

/** How many kinds cross between threads at once: reading them in takes a few milliseconds. */
const KINDS_PER_PART = 50;

type Changed = Extract<LoadPlan, {is: 'changed'}>;

/** A plan on its way from one thread to another, in parts that never hold up the reader for long. */
export type PlanPart =
  | {readonly is: 'whole'; readonly plan: Exclude<LoadPlan, Changed>}
  | {readonly is: 'kinds'; readonly kinds: readonly KindSchema[]}
  | {readonly is: 'definitions'; readonly definitions: readonly KindDefinition[]}
  | {
      readonly is: 'end';
      readonly retired: SchemaSource['retired'];
      readonly schema: Pick<Schema, 'hash' | 'namespaces'>;
      readonly warnings: Changed['warnings'];
    };

export function* partsOf(plan: LoadPlan): Iterable<PlanPart> {
  if (plan.is !== 'changed') {
    yield {is: 'whole', plan};
    return;
  }
  const {source, schema, warnings} = plan;
  for (const kinds of slices([...allKinds(schema)])) yield {is: 'kinds', kinds};
  for (const definitions of slices([...source.kinds.values()])) yield {is: 'definitions', definitions};
  const {hash, namespaces} = schema;
  yield {is: 'end', retired: source.retired, schema: {hash, namespaces}, warnings};
}

export function* slices<T>(items: readonly T[]): Iterable<readonly T[]> {
  for (let from = 0; from < items.length; from += KINDS_PER_PART) {
    yield items.slice(from, from + KINDS_PER_PART);
  }
}

/** Puts a plan together again. */
export class PlanAssembly {
  readonly #nodes = new Map<string, NodeSchema>();
  readonly #generics = new Map<string, GenericSchema>();
  readonly #profiles = new Map<string, ProfileSchema>();
  readonly #templates = new Map<string, TemplateSchema>();
  readonly #definitions = new Map<string, KindDefinition>();
  #plan: LoadPlan | undefined;

  /** True once the part was the last. */
  add(part: PlanPart): boolean {
    switch (part.is) {
      case 'whole':
        this.#plan = part.plan;
        return true;
      case 'kinds':
        for (const kind of part.kinds) this.#addKind(kind);
        return false;
      case 'definitions':
        for (const definition of part.definitions) this.#definitions.set(kindName(definition), definition);
        return false;
      case 'end':
        this.#plan = {
          is: 'changed',
          source: {kinds: this.#definitions, retired: part.retired},
          schema: {
            ...part.schema,
            nodes: this.#nodes,
            generics: this.#generics,
            profiles: this.#profiles,
            templates: this.#templates,
          },
          warnings: part.warnings,
        };
        return true;
    }
  }

  plan(): LoadPlan {
    return must(this.#plan, 'the last part of a plan');
  }

  #addKind(kind: KindSchema): void {
    switch (kind.type) {
      case 'node':
        this.#nodes.set(kind.kind, kind);
        return;
      case 'generic':
        this.#generics.set(kind.kind, kind);
        return;
      case 'profile':
        this.#profiles.set(kind.kind, kind);
        return;
      case 'template':
        this.#templates.set(kind.kind, kind);
        return;
    }
  }
}
