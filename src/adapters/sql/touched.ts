import type {Instant} from '../../domain/time/instant.ts';
import type {DraftState} from './draft-state.ts';
import type {Work} from './statement.ts';
import {read} from './statement.ts';

type Edge = readonly [source: number, code: number, target: number];

/** What one commit touched, as its row in the log keeps it. */
interface TouchedJson {
  readonly n: readonly number[];
  readonly e: readonly Edge[];
  readonly k: readonly string[];
}

/** What a stretch of history touched, each with the last commit that did. */
export interface Touched {
  readonly nodes: ReadonlyMap<number, Instant>;
  readonly edges: ReadonlyMap<string, readonly [edge: Edge, at: Instant]>;
  readonly kinds: ReadonlyMap<string, Instant>;
}

export function touchedText(state: DraftState): string {
  const touched: TouchedJson = {
    n: [...state.touchedNodes],
    e: [...state.touchedEdges.values()],
    k: [...state.touchedKinds],
  };
  return JSON.stringify(touched);
}

export const parseTouched = (text: string): TouchedJson => JSON.parse(text) as TouchedJson;

export function* touchedBetween(branch: number, after: Instant, until: Instant): Work<Touched> {
  const rows = yield read(
    'SELECT ts, touched FROM commits WHERE branch = ?1 AND ts > ?2 AND ts <= ?3 ORDER BY ts',
    [branch, after, until],
  );
  const nodes = new Map<number, Instant>();
  const edges = new Map<string, readonly [Edge, Instant]>();
  const kinds = new Map<string, Instant>();
  for (const [instant, text] of rows) {
    const touched = parseTouched(text as string);
    for (const node of touched.n) nodes.set(node, instant as Instant);
    for (const edge of touched.e) edges.set(edge.join(), [edge, instant as Instant]);
    for (const kind of touched.k) kinds.set(kind, instant as Instant);
  }
  return {nodes, edges, kinds};
}
