import type {NodeId} from '../../domain/graph/node-id.ts';
import {isNodeId} from '../../domain/graph/node-id.ts';
import type {AttributeWish, AttributeWishes} from '../../domain/node/attribute-plan.ts';
import type {FieldProblem} from '../../domain/node/field-problem.ts';
import {isKindOf} from '../../domain/schema/lookup.ts';
import type {AttributeInput} from './node-input.ts';
import type {NodeWork} from './node-work.ts';

interface Lineage {
  readonly source?: NodeId | null;
  readonly owner?: NodeId | null;
}

/** Attributes as they are wanted, with who they come from and who answers for them made sure of. */
export async function wishesOf(
  work: NodeWork,
  attributes: Readonly<Record<string, AttributeInput>>,
  problems: FieldProblem[],
): Promise<AttributeWishes> {
  const wishes: [string, AttributeWish][] = [];
  for (const [name, given] of Object.entries(attributes)) {
    const {source, owner, ...rest} = given;
    const hasLineage = source !== undefined || owner !== undefined;
    wishes.push([name, hasLineage ? {...rest, ...(await lineageOf(work, name, given, problems))} : rest]);
  }
  return Object.fromEntries(wishes);
}

export async function lineageOf(
  work: NodeWork,
  field: string,
  given: {readonly source?: string | null; readonly owner?: string | null},
  problems: FieldProblem[],
): Promise<Lineage> {
  const source = await reference(work, field, 'source', 'LineageSource', given.source, problems);
  const owner = await reference(work, field, 'owner', 'LineageOwner', given.owner, problems);
  return {...(source === undefined ? {} : {source}), ...(owner === undefined ? {} : {owner})};
}

async function reference(
  work: NodeWork,
  field: string,
  role: string,
  generic: string,
  text: string | null | undefined,
  problems: FieldProblem[],
): Promise<NodeId | null | undefined> {
  if (text === undefined || text === null) return text;
  const id = text.toLowerCase();
  const node = isNodeId(id) ? await work.node(id) : undefined;
  if (node !== undefined && isKindOf(work.schema, node.kind, generic)) return node.id;
  const what = node === undefined ? 'no object on this branch' : `a ${node.kind}, which is no ${generic}`;
  problems.push({field, message: `The ${role} ${text} is ${what}`});
  return undefined;
}
