import {
  type FieldNode,
  type GraphQLField,
  GraphQLObjectType,
  type GraphQLOutputType,
  getArgumentValues,
  getNamedType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type SelectionSetNode,
} from 'graphql';
import {assert, must, unreachable} from '../../../base/assert.ts';
import {concreteKindOf} from '../../../domain/schema/lookup.ts';
import type {Found} from '../../../ports/graph-store.ts';
import {isOwnLabel, labelOf} from '../labels.ts';
import {type DeferredMeaning, type Listing, type Meaning, meaningOf, type PeersMeaning} from '../meaning.ts';
import type {EdgeSource} from '../types/kind-types.ts';
import type {ConnectionField} from './connection-writer.ts';
import {collectFields, fieldOf, type Reading, responseKey, selectionsOf} from './document.ts';
import {LevelPlan} from './include-plan.ts';
import {ListArgumentsPlan, type ListContext, type Variables} from './list-request.ts';
import type {DeferredPlan, LookupPlan} from './lookups.ts';
import {nodeFields, type PrefixedField, prefixed} from './own-fields.ts';
import type {Writer} from './write-run.ts';

/** A writer, and whether what it writes of an object is told by the object's version alone. */
interface Made {
  readonly write: Writer;
  readonly isOwn: boolean;
}

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
    return this.#selection(type, sets, level).write;
  }

  /** Of a selection on the connection at the root of a list. */
  connection(
    type: GraphQLObjectType,
    sets: readonly SelectionSetNode[],
    level: LevelPlan,
  ): readonly ConnectionField[] {
    const fields: ConnectionField[] = [];
    for (const [key, nodes] of collectFields(this.#reading, type, sets)) {
      const field = fieldOf(this.#reading.schema, type, nodes[0]!.name.value);
      if (field === undefined) continue;
      const prefix = `${fields.length === 0 ? '{' : ','}${JSON.stringify(key)}:`;
      const meaning = meaningOf(field);
      if (field.name === 'edges' && meaning?.is === 'object') {
        const edge = this.selection(getNamedType(field.type), selectionsOf(nodes), level);
        const edges = meaning.read as (listing: Listing) => readonly EdgeSource[];
        fields.push({prefix, edges, edge});
      } else fields.push({prefix, write: this.#field(type, field, nodes, level).write});
    }
    return fields;
  }

  #selection(type: GraphQLOutputType, sets: readonly SelectionSetNode[], level: LevelPlan): Made {
    if (isNonNullType(type)) return this.#selection(type.ofType, sets, level);
    if (isListType(type)) {
      const {write, isOwn} = this.#selection(type.ofType, sets, level);
      return {write: listOf(write), isOwn};
    }
    if (isLeafType(type)) {
      return {write: value => (value === undefined ? NULL : JSON.stringify(value)), isOwn: true};
    }
    if (isAbstractType(type)) return {write: this.#ofAnyKind(sets, level), isOwn: false};
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
        writer = type instanceof GraphQLObjectType ? this.#object(type, sets, level).write : () => NULL;
        byKind.set(kind, writer);
      }
      return writer(source, run);
    };
  }

  #object(type: GraphQLObjectType, sets: readonly SelectionSetNode[], level: LevelPlan): Made {
    const fields: PrefixedField[] = [];
    for (const [key, nodes] of collectFields(this.#reading, type, sets)) {
      const field = fieldOf(this.#reading.schema, type, nodes[0]!.name.value);
      if (field === undefined) continue;
      const prefix = `${fields.length === 0 ? '{' : ','}${JSON.stringify(key)}:`;
      fields.push({prefix, ...this.#field(type, field, nodes, level)});
    }
    const {schema, fragments} = this.#context;
    const isKind = concreteKindOf(schema, type.name) !== undefined;
    const writers = isKind ? nodeFields(fields, fragments) : fields.map(prefixed);
    return {write: objectOf(writers), isOwn: fields.every(({isOwn}) => isOwn)};
  }

  #field(
    type: GraphQLObjectType,
    field: GraphQLField<unknown, unknown>,
    nodes: readonly FieldNode[],
    level: LevelPlan,
  ): Made {
    if (field.name === '__typename') {
      const text = JSON.stringify(type.name);
      return {write: () => text, isOwn: true};
    }
    const meaning = must(meaningOf(field), `the meaning of ${type.name}.${responseKey(nodes[0]!)}`);
    const sets = selectionsOf(nodes);
    switch (meaning.is) {
      case 'leaf':
        return {write: leafWriter(meaning), isOwn: !meaning.isOfCaller};
      case 'object': {
        const {write, isOwn} = this.#selection(field.type, sets, level);
        return {write: (source, run) => write(meaning.read(source as never, run), run), isOwn};
      }
      case 'label':
        return {
          write: labelWriter(meaning.label, level),
          isOwn: isOwnLabel(this.#context.schema, type.name, meaning.label),
        };
      default:
        return {write: this.#fieldOfOthers(meaning, field, nodes, level), isOwn: false};
    }
  }

  /** A field for which more is read than its object. */
  #fieldOfOthers(
    meaning: Exclude<Meaning, {is: 'leaf' | 'object' | 'label'}>,
    field: GraphQLField<unknown, unknown>,
    nodes: readonly FieldNode[],
    level: LevelPlan,
  ): Writer {
    const sets = selectionsOf(nodes);
    switch (meaning.is) {
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

function objectOf(fields: readonly Writer[]): Writer {
  return (source, run) => {
    if (source === null || source === undefined) return NULL;
    let text = '';
    for (const write of fields) text += write(source, run);
    return text === '' ? '{}' : `${text}}`;
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
