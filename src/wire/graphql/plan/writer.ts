import {
  type FieldNode,
  type GraphQLField,
  GraphQLObjectType,
  type GraphQLOutputType,
  getArgumentValues,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import {assert, must, unreachable} from '../../../base/assert.ts';
import type {Found} from '../../../ports/graph-store.ts';
import {labelOf} from '../labels.ts';
import {
  type DeferredMeaning,
  type Listing,
  type Meaning,
  meaningOf,
  type PeersMeaning,
  type ReadScope,
} from '../meaning.ts';
import type {EdgeSource} from '../types/kind-types.ts';
import {collectFields, fieldOf, type Reading, responseKey, selectionsOf} from './document.ts';
import {LevelPlan} from './include-plan.ts';
import {ListArgumentsPlan, type ListContext, type Variables} from './list-request.ts';
import type {DeferredPlan, LookupPlan, Lookups} from './lookups.ts';

/** What writing one answer needs at hand. */
export interface WriteRun extends ReadScope {
  readonly variables: Variables;
  readonly lookups: Lookups;
}

/** Writes the JSON text of a value straight from its source. */
export type Writer = (source: unknown, run: WriteRun) => string;

const NULL = 'null';

/** Makes writers for the selections of one document. */
export class WriterMaker {
  readonly #reading: Reading;
  readonly #context: ListContext;

  constructor(reading: Reading, context: ListContext) {
    this.#reading = reading;
    this.#context = context;
  }

  /** Of a selection on a type; `level` holds the related objects that come with each object of it. */
  selection(type: GraphQLOutputType, sets: readonly SelectionSetNode[], level: LevelPlan): Writer {
    if (isNonNullType(type)) return this.selection(type.ofType, sets, level);
    if (isListType(type)) return listOf(this.selection(type.ofType, sets, level));
    if (isLeafType(type)) return value => (value === undefined ? NULL : JSON.stringify(value));
    if (isAbstractType(type)) return this.#ofAnyKind(sets, level);
    assert(isObjectType(type), `${String(type)} is an object type`);
    return this.#object(type, sets, level);
  }

  /** Kinds are many and few are met, so the writer for a kind is made when its first object comes. */
  #ofAnyKind(sets: readonly SelectionSetNode[], level: LevelPlan): Writer {
    const byKind = new Map<string, Writer>();
    return (source, run) => {
      if (source === null || source === undefined) return NULL;
      const {kind} = (source as Found).node;
      let writer = byKind.get(kind);
      if (writer === undefined) {
        const type = this.#reading.schema.getType(kind);
        writer = type instanceof GraphQLObjectType ? this.#object(type, sets, level) : () => NULL;
        byKind.set(kind, writer);
      }
      return writer(source, run);
    };
  }

  #object(type: GraphQLObjectType, sets: readonly SelectionSetNode[], level: LevelPlan): Writer {
    const prefixes: string[] = [];
    const writers: Writer[] = [];
    for (const [key, nodes] of collectFields(this.#reading, type, sets)) {
      const field = fieldOf(this.#reading.schema, type, nodes[0]!.name.value);
      if (field === undefined) continue;
      prefixes.push(`${prefixes.length === 0 ? '{' : ','}${JSON.stringify(key)}:`);
      writers.push(this.#field(type, field, nodes, level));
    }
    return (source, run) => {
      if (source === null || source === undefined) return NULL;
      let text = '';
      for (let place = 0; place < writers.length; place += 1) {
        text += prefixes[place]! + writers[place]!(source, run);
      }
      return text === '' ? '{}' : `${text}}`;
    };
  }

  #field(
    type: GraphQLObjectType,
    field: GraphQLField<unknown, unknown>,
    nodes: readonly FieldNode[],
    level: LevelPlan,
  ): Writer {
    if (field.name === '__typename') {
      const text = JSON.stringify(type.name);
      return () => text;
    }
    const meaning = must(meaningOf(field), `the meaning of ${type.name}.${responseKey(nodes[0]!)}`);
    const sets = selectionsOf(nodes);
    switch (meaning.is) {
      case 'leaf':
        return leafWriter(meaning);
      case 'object': {
        const write = this.selection(field.type, sets, level);
        return (source, run) => write(meaning.read(source as never, run), run);
      }
      case 'label':
        return labelWriter(meaning.label, level);
      case 'peers':
        return this.#peers(meaning, field, nodes, level);
      case 'lookup': {
        const [plan, write] = this.#lookup(meaning.kind, field, sets);
        return (source, run) => write(run.lookups.find(plan, meaning.id(source as never)), run);
      }
      case 'author': {
        const [plan, write] = this.#lookup('CoreGenericAccount', field, sets);
        return (source, run) => {
          const id = run.lookups.author(meaning.instant(source as never, run));
          return write(run.lookups.find(plan, id), run);
        };
      }
      case 'deferred':
        return this.#deferred(meaning, field, nodes, level);
      case 'caller':
      case 'list':
        throw new Error(`${meaning.is} stands at the root`);
      default:
        return unreachable(meaning);
    }
  }

  #peers(
    meaning: PeersMeaning,
    field: GraphQLField<unknown, unknown>,
    nodes: readonly FieldNode[],
    level: LevelPlan,
  ): Writer {
    const sought = meaning.isOne
      ? undefined
      : new ListArgumentsPlan(this.#context, meaning.peer, field, nodes[0]!);
    const place = must(level.place(meaning, sought), `the place of ${field.name}`);
    const {args, level: below} = level.includes[place]!;
    const write = this.selection(field.type, selectionsOf(nodes), below);
    if (args === undefined) {
      return (source, run) => {
        const edge: EdgeSource = {found: (source as Found).included[place]?.found[0], orderTag: ''};
        return write(edge, run);
      };
    }
    return (source, run) => {
      const page = must((source as Found).included[place], `the page of ${field.name}`);
      return write(listing(page, meaning.peer, args.bind(run.variables)), run);
    };
  }

  #deferred(
    meaning: DeferredMeaning,
    field: GraphQLField<unknown, unknown>,
    nodes: readonly FieldNode[],
    level: LevelPlan,
  ): Writer {
    const write = this.selection(field.type, selectionsOf(nodes), level);
    // The plan outlives its first run, so the arguments are read again whenever the variables are others.
    const plans = new WeakMap<Variables, DeferredPlan>();
    const planFor = (variables: Variables): DeferredPlan => {
      const args = getArgumentValues(field, nodes[0]!, {...variables});
      return {load: (source, context) => meaning.load(source as never, args, context as never)};
    };
    return (source, run) => {
      const plan = plans.get(run.variables) ?? planFor(run.variables);
      plans.set(run.variables, plan);
      return write(run.lookups.deferred(plan, meaning.key(source as never), source), run);
    };
  }

  #lookup(
    kind: string,
    field: GraphQLField<unknown, unknown>,
    sets: readonly SelectionSetNode[],
  ): readonly [LookupPlan, Writer] {
    const level = new LevelPlan(this.#context);
    const type = this.#reading.schema.getType(kind);
    if (isAbstractType(type)) level.add(this.#reading, type, sets);
    return [{kind, level}, this.selection(field.type, sets, level)];
  }
}

export const listing = (
  page: Listing['page'],
  kind: string,
  request: ReturnType<ListArgumentsPlan['bind']>,
): Listing => ({
  page,
  kind,
  hasPrevious: hasPrevious(request.page),
  orderTag: request.orderTag,
});

function hasPrevious(page: ReturnType<ListArgumentsPlan['bind']>['page']): boolean {
  if (page === undefined) return false;
  return 'offset' in page ? page.offset > 0 : page.after !== null;
}

function leafWriter({read}: Extract<Meaning, {is: 'leaf'}>): Writer {
  return (source, run) => {
    const value = read(source as never, run);
    return value === null || value === undefined ? NULL : JSON.stringify(value);
  };
}

function labelWriter(label: 'display_label' | 'hfid', level: LevelPlan): Writer {
  return (source, {schema, view}) => {
    const {node, included} = source as Found;
    if (!view.showsLabel(node.kind, label)) return NULL;
    const value = labelOf(schema, label, node, relationship => {
      const place = level.placeOfPeer(relationship);
      return place === undefined ? undefined : included[place]?.found[0]?.node;
    });
    return JSON.stringify(value);
  };
}

function listOf(write: Writer): Writer {
  return (source, run) => {
    if (source === null || source === undefined) return NULL;
    let text = '[';
    let separator = '';
    for (const item of source as readonly unknown[]) {
      text += separator + write(item, run);
      separator = ',';
    }
    return `${text}]`;
  };
}
