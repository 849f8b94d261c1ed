import {cycleLengthShownMax, cyclesMax} from '../limits.ts';
import {problem} from '../problem.ts';
import type {Schema} from '../schema.ts';
import type {SchemaRule} from './rule.ts';

/** No kind is, through Component and Parent relationships, a part of itself. */
export const componentCycles: SchemaRule = function* (schema) {
  let count = 0;
  for (const cycle of cyclesOf(partsOf(schema))) {
    const kinds = cycle.filter(name => schema.nodes.has(name));
    const first = kinds[0] ?? '';
    const shown = kinds.slice(0, cycleLengthShownMax);
    const rest = kinds.length > shown.length ? ['…'] : [];
    const chain = [...shown, ...rest, first].join(' has the part ');
    yield problem(first, `${chain}: nothing can be a part of itself; make one of the relationships Generic`);
    count += 1;
    if (count >= cyclesMax) return;
  }
};

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * From owner to part. A generic stands in the graph twice, so that its kinds can be reached through it as
 * parts (`in:`) and reach through it as owners (`out:`) without every pair being written down.
 */
function partsOf(schema: Schema): Graph {
  const graph = new Map<string, Set<string>>();
  const link = (owner: string, part: string) => {
    const parts = graph.get(owner);
    if (parts === undefined) graph.set(owner, new Set([part]));
    else parts.add(part);
  };
  const used = new Set<string>();
  for (const node of schema.nodes.values()) {
    for (const {kind, peer} of node.relationships) {
      const isGeneric = schema.generics.has(peer);
      if (kind === 'Component') link(node.kind, isGeneric ? `in:${peer}` : peer);
      else if (kind === 'Parent') link(isGeneric ? `out:${peer}` : peer, node.kind);
      else continue;
      if (isGeneric) used.add(peer);
    }
  }
  for (const generic of used) {
    for (const kind of schema.generics.get(generic)?.used_by ?? []) {
      link(`in:${generic}`, kind);
      link(kind, `out:${generic}`);
    }
  }
  return graph;
}

/** One cycle for each edge that closes one, found depth first without recursion. */
function* cyclesOf(graph: Graph): Iterable<readonly string[]> {
  const done = new Set<string>();
  for (const start of graph.keys()) {
    if (done.has(start)) continue;
    const trail = [{name: start, parts: partsIn(graph, start)}];
    const onTrail = new Set([start]);
    for (let step = trail.at(-1); step !== undefined; step = trail.at(-1)) {
      const part = step.parts.pop();
      if (part === undefined) {
        done.add(step.name);
        onTrail.delete(step.name);
        trail.pop();
      } else if (onTrail.has(part)) {
        const names = trail.map(({name}) => name);
        yield names.slice(names.indexOf(part));
      } else if (!done.has(part)) {
        trail.push({name: part, parts: partsIn(graph, part)});
        onTrail.add(part);
      }
    }
  }
}

const partsIn = (graph: Graph, name: string): string[] => [...(graph.get(name) ?? [])];
