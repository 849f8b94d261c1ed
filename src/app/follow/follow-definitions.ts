import type {GraphEvent} from '../../domain/event/graph-event.ts';
import type {NodeId} from '../../domain/graph/node-id.ts';
import type {Condition} from '../../domain/query/node-query.ts';
import {isGitCommit} from '../../domain/repository/git-commit.ts';
import type {GitHost} from '../../ports/git-host.ts';
import type {Snapshot} from '../../ports/graph-store.ts';
import type {TransformRunner} from '../../ports/transform-runner.ts';
import {DEFINITION} from '../artifact/definition.ts';
import {changeOfFiles} from '../transform/change-of-files.ts';
import type {GenerationPlan} from './generation-plan.ts';

export interface DefinitionDeps {
  readonly git: GitHost;
  readonly transforms: TransformRunner;
}

const DEFINITIONS_MAX = 10_000;
const TRANSFORMS: ReadonlySet<string> = new Set(['CoreTransformJinja2', 'CoreTransformPython']);

/** What people read and no result depends on. */
const WORDS: ReadonlySet<string> = new Set(['label', 'description', 'timeout']);

/** Plans what follows from changes of definitions, and of what they are made with. */
export async function followDefinitions(
  deps: DefinitionDeps,
  snapshot: Snapshot,
  plan: GenerationPlan,
  events: readonly GraphEvent[],
): Promise<void> {
  for (const event of events) {
    const id = event.nodeId as NodeId;
    switch (event.type) {
      case 'service.branch.rebased':
        for (const definition of await definitionsWhere(snapshot, undefined)) {
          plan.add(definition, 'The branch was rebased');
        }
        break;
      case 'service.group.member_added':
      case 'service.group.member_removed':
        if (event.detail.is !== 'members') break;
        for (const definition of await definitionsWhere(snapshot, related('targets', id))) {
          plan.add(
            definition,
            'The members of the group changed',
            event.detail.members.map(each => each.id),
          );
        }
        break;
      case 'service.repository.update_commit':
        await followCommit(deps, snapshot, plan, event);
        break;
      case 'service.node.created':
      case 'service.node.updated':
        await followNode(snapshot, plan, event);
        break;
      default:
    }
  }
}

async function followNode(
  snapshot: Snapshot,
  plan: GenerationPlan,
  {type, kind, nodeId, detail}: GraphEvent,
): Promise<void> {
  if (detail.is !== 'node' || kind === null) return;
  const id = nodeId as NodeId;
  const edges = detail.edges.filter(({peerKind}) => peerKind !== 'CoreArtifact');
  if (detail.attributes.length === 0 && edges.length === 0) return;
  if (kind === DEFINITION) {
    plan.add(id, type === 'service.node.created' ? 'The definition is new' : 'The definition changed');
  } else if (type === 'service.node.updated' && TRANSFORMS.has(kind)) {
    const isReal =
      detail.attributes.some(({name}) => !WORDS.has(name)) ||
      edges.some(({relationship}) => relationship === 'query' || relationship === 'repository');
    if (!isReal) return;
    for (const definition of await definitionsWhere(snapshot, related('transformation', id))) {
      plan.add(definition, 'The transform changed');
    }
  } else if (kind === 'CoreGraphQLQuery' && detail.attributes.some(({name}) => name === 'query')) {
    const where = related('transformation', undefined, related('query', id));
    for (const definition of await definitionsWhere(snapshot, where))
      plan.add(definition, 'The query changed');
  }
}

/** A new commit matters to the transforms whose files it changes. */
async function followCommit(
  deps: DefinitionDeps,
  snapshot: Snapshot,
  plan: GenerationPlan,
  {nodeId, detail}: GraphEvent,
): Promise<void> {
  const change = detail.is === 'node' ? detail.attributes.find(({name}) => name === 'commit') : undefined;
  const from = change?.before?.value;
  const to = change?.after?.value;
  if (typeof from !== 'string' || typeof to !== 'string' || !isGitCommit(from) || !isGitCommit(to)) return;
  const repository = nodeId as NodeId;
  const {found} = await snapshot.query({
    kind: 'CoreTransformation',
    where: related('repository', repository),
    page: {limit: DEFINITIONS_MAX, offset: 0},
  });
  for (const {node} of found) {
    const path = await changeOfFiles(deps, {transform: node, repository, from, to});
    if (path === undefined) continue;
    for (const definition of await definitionsWhere(snapshot, related('transformation', node.id))) {
      plan.add(definition, `${path} changed with commit ${to.slice(0, 8)}`);
    }
  }
}

function related(relationship: string, id: NodeId | undefined, inner?: Condition): Condition {
  const where: Condition | undefined = id === undefined ? inner : {is: 'id', in: [id]};
  return {is: 'related', relationship, ...(where === undefined ? {} : {where})};
}

async function definitionsWhere(
  snapshot: Snapshot,
  where: Condition | undefined,
): Promise<readonly NodeId[]> {
  const page = {limit: DEFINITIONS_MAX, offset: 0};
  const {found} = await snapshot.query({kind: DEFINITION, ...(where === undefined ? {} : {where}), page});
  return found.map(({node}) => node.id);
}
