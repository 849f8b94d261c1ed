import {canonicalJson, type Json} from '../../../base/json.ts';
import {pathValue} from '../../../domain/attribute/parts.ts';
import type {NodeRecord} from '../../../domain/graph/node.ts';
import type {NodeId} from '../../../domain/graph/node-id.ts';
import type {SchemaChange} from '../../../domain/schema/classify/changes.ts';
import {attributeOf, implementations, relationshipOf} from '../../../domain/schema/lookup.ts';
import type {Found} from '../../../ports/graph-store.ts';
import {type KindPair, type Look, relationshipNow} from './look.ts';
import type {Survey} from './survey.ts';
import type {Constraint} from './violations.ts';

type UniquenessAdded = Extract<SchemaChange, {is: 'uniqueness-added'}>;

/** No two objects of the scope may share all parts; every one that does is in the way. */
export async function surveyUniqueness(survey: Survey, change: UniquenessAdded): Promise<void> {
  const {look} = survey;
  const constraint = {name: change.constraint, path: pathOf(change)};
  const holders = new Map<string, NodeRecord>();
  const named = new Set<NodeId>();
  for (const name of implementations(look.after, change.kind)) {
    const pair = look.pair(name);
    if (pair === undefined) continue;
    if (!pair.after.uniqueness.some(({id}) => id === change.uniqueness.id)) continue;
    if (!(await look.isInhabited(pair.before.kind))) continue;
    const parts = partsOf(look, pair, change.uniqueness.paths);
    for await (const found of look.objects(pair.before.kind, {include: parts.include})) {
      const key = keyOf(parts.values(found));
      if (key === undefined) continue;
      const holder = holders.get(key);
      if (holder === undefined) holders.set(key, found.node);
      else for (const node of [holder, found.node]) nameOnce(survey, constraint, node, named);
    }
  }
}

function nameOnce(survey: Survey, constraint: Constraint, node: NodeRecord, named: Set<NodeId>): void {
  if (named.has(node.id)) return;
  named.add(node.id);
  survey.refuse(constraint, node);
}

function pathOf({kind, uniqueness, constraint}: UniquenessAdded): string {
  return constraint === 'attribute.unique.update'
    ? `schema/${kind}/${uniqueness.paths[0]?.split('__')[0]}/unique`
    : `schema/${kind}/uniqueness_constraints`;
}

interface Parts {
  readonly include: readonly {
    readonly relationship: string;
    readonly page: {readonly limit: 1; readonly offset: 0};
  }[];
  values(found: Found): readonly Json[];
}

function partsOf(look: Look, pair: KindPair, paths: readonly string[]): Parts {
  const include: {relationship: string; page: {limit: 1; offset: 0}}[] = [];
  const readers = paths.map((path): ((found: Found) => Json) => {
    const [first = '', property = 'value'] = path.split('__');
    const attribute = attributeOf(pair.after, first);
    if (attribute !== undefined) {
      return ({node}) => pathValue(attribute.kind, property, look.valueThen(pair, attribute, node) ?? null);
    }
    const relationship = relationshipOf(pair.after, first);
    const now = relationship === undefined ? undefined : relationshipNow(pair, relationship);
    if (now === undefined) return () => null;
    const place = include.push({relationship: now.name, page: {limit: 1, offset: 0}}) - 1;
    return ({included}) => included[place]?.found[0]?.node.id ?? null;
  });
  return {include, values: found => readers.map(read => read(found))};
}

/** An object with a missing part is free. */
const keyOf = (values: readonly Json[]): string | undefined =>
  values.includes(null) ? undefined : canonicalJson(values);
