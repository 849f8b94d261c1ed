import {type GraphQLCompositeType, getNamedType, isCompositeType, type SelectionSetNode} from 'graphql';
import {narrowQuery} from '../../../domain/access/narrow-query.ts';
import type {View} from '../../../domain/access/view.ts';
import {hfidPaths, labelPaths} from '../../../domain/node/label.ts';
import type {Include} from '../../../domain/query/node-query.ts';
import {implementations, kindOf} from '../../../domain/schema/lookup.ts';
import {meaningOf, type PeersMeaning} from '../meaning.ts';
import {everyField, type Reading, selectionsOf} from './document.ts';
import {ListArgumentsPlan, type ListContext, type ListRequest, type Variables} from './list-request.ts';

/** One `include` of the query to come. */
export class IncludePlan {
  readonly relationship: string;
  readonly peer: string;
  readonly isTransitive: boolean;
  readonly args: ListArgumentsPlan | undefined;
  readonly level: LevelPlan;
  wantsCount = false;
  wantsNodes = false;

  constructor(meaning: PeersMeaning, args: ListArgumentsPlan | undefined, level: LevelPlan) {
    this.relationship = meaning.relationship;
    this.peer = meaning.peer;
    this.isTransitive = meaning.isTransitive;
    this.args = args;
    this.level = level;
  }
}

/**
 * The related objects that a selection on objects needs, whatever their kind. Lists that ask for the same are one,
 * so that a fragment written for a generic and one for a kind of it are read together.
 */
export class LevelPlan {
  readonly includes: IncludePlan[] = [];
  readonly #context: ListContext;
  readonly #places = new Map<string, number>();

  constructor(context: ListContext) {
    this.#context = context;
  }

  /** Adds what the selection on objects of the type needs. */
  add(reading: Reading, type: GraphQLCompositeType, sets: readonly SelectionSetNode[]): void {
    for (const {node, field} of everyField(reading, type, sets)) {
      const meaning = meaningOf(field);
      if (meaning?.is === 'label') this.#addLabelPeers(type.name, meaning.label);
      if (meaning?.is !== 'peers') continue;
      const args = meaning.isOne
        ? undefined
        : new ListArgumentsPlan(this.#context, meaning.peer, field, node);
      const include = this.includes[this.#placeOf(meaning, args)]!;
      const wrapper = getNamedType(field.type);
      if (!isCompositeType(wrapper) || node.selectionSet === undefined) continue;
      if (meaning.isOne) addEdge(include, reading, wrapper, [node.selectionSet]);
      else addConnection(include, reading, wrapper, [node.selectionSet]);
    }
  }

  /** Where the list is among the pages that come with each object. */
  place(meaning: PeersMeaning, args: ListArgumentsPlan | undefined): number | undefined {
    return this.#places.get(keyOf(meaning, args));
  }

  /** Where the one peer of a relationship is that a label is made of. */
  placeOfPeer(relationship: string): number | undefined {
    return this.#places.get(keyOf({relationship, isTransitive: false}, undefined));
  }

  bind(variables: Variables, view: View): readonly Include[] {
    return this.includes.map(include => this.#bindOne(include, variables, view));
  }

  #bindOne(include: IncludePlan, variables: Variables, view: View): Include {
    const request = include.args?.bind(variables);
    const {hierarchyDepthMax: depthMax} = this.#context.limits;
    const deeper = include.level.bind(variables, view);
    return {
      relationship: include.relationship,
      ...this.#narrowed(include, request?.query ?? {}, view),
      ...(request?.page === undefined ? {} : {page: request.page}),
      ...(include.wantsCount ? {count: true} : {}),
      ...(include.wantsNodes ? {} : {nodes: false}),
      ...(include.isTransitive ? {transitive: {depthMax}} : {}),
      ...(request?.ofDescendants === true ? {ofDescendants: {depthMax}} : {}),
      ...(deeper.length === 0 ? {} : {include: deeper}),
    };
  }

  /** A label may need a peer that nobody asked for: it is left out where it may not be seen. */
  #narrowed(include: IncludePlan, query: ListRequest['query'], view: View): ListRequest['query'] {
    const {schema} = this.#context;
    if (view.isWhole) return query;
    const isSeen = implementations(schema, include.peer).some(kind => view.shows(kind));
    return isSeen ? narrowQuery(view, schema, include.peer, query) : {where: {is: 'id', in: []}};
  }

  #placeOf(meaning: PeersMeaning, args: ListArgumentsPlan | undefined): number {
    const key = keyOf(meaning, args);
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.includes.length);
    this.includes.push(new IncludePlan(meaning, args, new LevelPlan(this.#context)));
    return this.includes.length - 1;
  }

  #addLabelPeers(kindName: string, label: 'display_label' | 'hfid'): void {
    const {schema} = this.#context;
    for (const name of implementations(schema, kindName)) {
      const kind = kindOf(schema, name);
      if (kind === undefined) continue;
      for (const path of label === 'hfid' ? hfidPaths(kind) : labelPaths(kind)) {
        const relationship = path.split('__')[0]!;
        const field = kind.fields.get(relationship);
        if (field?.is !== 'relationship') continue;
        const meaning = {
          is: 'peers',
          relationship,
          peer: field.peer,
          isOne: true,
          isTransitive: false,
        } as const;
        this.includes[this.#placeOf(meaning, undefined)]!.wantsNodes = true;
      }
    }
  }
}

const keyOf = (
  {relationship, isTransitive}: Pick<PeersMeaning, 'relationship' | 'isTransitive'>,
  args: ListArgumentsPlan | undefined,
): string => `${relationship} ${isTransitive} ${args?.signature ?? ''}`;

/** What a selection on a connection needs of its page. */
export interface PageNeeds {
  wantsCount: boolean;
  wantsNodes: boolean;
  readonly level: LevelPlan;
}

export function addConnection(
  needs: PageNeeds,
  reading: Reading,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
): void {
  for (const {node, field} of everyField(reading, type, sets)) {
    if (field.name === 'count') needs.wantsCount = true;
    if (field.name === 'edges' || field.name === 'pageInfo') needs.wantsNodes = true;
    if (field.name !== 'edges') continue;
    const edge = getNamedType(field.type);
    if (isCompositeType(edge)) addEdge(needs, reading, edge, selectionsOf([node]));
  }
}

function addEdge(
  needs: PageNeeds,
  reading: Reading,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
): void {
  needs.wantsNodes = true;
  for (const {node, field} of everyField(reading, type, sets)) {
    if (field.name !== 'node') continue;
    const inner = getNamedType(field.type);
    if (isCompositeType(inner)) needs.level.add(reading, inner, selectionsOf([node]));
  }
}
