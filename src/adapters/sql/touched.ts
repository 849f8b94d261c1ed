import type {Instant} from '../../domain/time/instant.ts';
import type {Level} from './lineage.ts';
import {sealed, unsealed} from './sealed-text.ts';
import type {Work} from './statement.ts';
import {read} from './statement.ts';

const COMMITS_SINCE = 'SELECT touched FROM commits WHERE branch = ?1 AND ts > ?2 ORDER BY ts';

export type Edge = readonly [source: number, code: number, target: number];

/** What one commit touched, as its row in the log keeps it. */
export interface TouchedJson {
  readonly n: readonly number[];
  /** Nodes that got a version of the branch's own with nothing changed in it. */
  readonly c?: readonly number[];
  readonly e: readonly Edge[];
  readonly k: readonly string[];
  /** The branch that was merged. */
  readonly m?: number;
  /** The origin onto which the branch was rebased. */
  readonly r?: number;
  /** The branch it was made on, once that is gone. */
  readonly b?: number;
  /** What all branches share of that which a branch touched, while its rows are being removed. */
  readonly g?: {readonly n: readonly number[]; readonly e: readonly Edge[]};
}

/** What a stretch of history touched, each with the last commit that did. */
export interface Touched {
  readonly nodes: ReadonlyMap<number, Instant>;
  readonly edges: ReadonlyMap<string, readonly [edge: Edge, at: Instant]>;
}

/** What a write has touched so far. */
export interface Touching {
  readonly branch: number;
  readonly touchedNodes: ReadonlySet<number>;
  readonly copiedNodes: ReadonlySet<number>;
  readonly touchedEdges: ReadonlyMap<string, Edge>;
  readonly touchedKinds: ReadonlySet<string>;
  readonly merges: number | undefined;
  readonly rebasesOnto: number | undefined;
}

export function touchedText(state: Touching): string {
  const touched: TouchedJson = {
    n: [...state.touchedNodes],
    e: [...state.touchedEdges.values()],
    k: [...state.touchedKinds],
    ...(state.copiedNodes.size === 0 ? {} : {c: [...state.copiedNodes]}),
    ...(state.merges === undefined ? {} : {m: state.merges}),
    ...(state.rebasesOnto === undefined ? {} : {r: state.rebasesOnto}),
  };
  return sealTouched(touched);
}

export const sealTouched = (touched: TouchedJson): string => sealed(JSON.stringify(touched));

export const NOTHING_TOUCHED = sealTouched({n: [], e: [], k: []});

export const parseTouched = (stored: string): TouchedJson =>
  JSON.parse(unsealed(stored, 'The change log')) as TouchedJson;

/** A part of the change log: the commits of a branch after one instant and up to another. */
export interface Stretch {
  readonly branch: number;
  readonly after: number;
  readonly until: number;
}

/** Where the commits stand that lead from one state to another; the same branch up to the same instant adds none. */
export function stretchesBetween(before: readonly Level[], after: readonly Level[]): readonly Stretch[] {
  return after.flatMap(({branch, until}): readonly Stretch[] => {
    const known = before.find(level => level.branch === branch)?.until ?? 0;
    return known < until ? [{branch, after: known, until}] : [];
  });
}

export const touchedBy = ({n, e}: TouchedJson, at: Instant): Touched => ({
  nodes: new Map(n.map(node => [node, at])),
  edges: new Map(e.map(edge => [edge.join(), [edge, at]])),
});

export function* touchedIn(stretches: readonly Stretch[]): Work<Touched> {
  const nodes = new Map<number, Instant>();
  const edges = new Map<string, readonly [Edge, Instant]>();
  const later = (known: Instant | undefined, at: Instant): Instant =>
    known === undefined || known < at ? at : known;
  for (const {branch, after, until} of stretches) {
    const rows = yield read(
      'SELECT ts, touched FROM commits WHERE branch = ?1 AND ts > ?2 AND ts <= ?3 ORDER BY ts',
      [branch, after, until],
    );
    for (const [instant, text] of rows) {
      const touched = parseTouched(text as string);
      const at = instant as Instant;
      for (const node of touched.n) nodes.set(node, later(nodes.get(node), at));
      for (const edge of touched.e) {
        const name = edge.join();
        edges.set(name, [edge, later(edges.get(name)?.[1], at)]);
      }
    }
  }
  return {nodes, edges};
}

export interface TouchedSince {
  readonly nodes: readonly number[];
  readonly edges: readonly Edge[];
}

/** Everything that a branch has had a word on after an instant, versions with nothing changed in them included. */
export function* touchedSince(branch: number, instant: Instant): Work<TouchedSince> {
  const nodes = new Set<number>();
  const edges = new Map<string, Edge>();
  for (const [text] of yield read(COMMITS_SINCE, [branch, instant])) {
    const {n, c = [], e} = parseTouched(text as string);
    for (const node of [...n, ...c]) nodes.add(node);
    for (const edge of e) edges.set(edge.join(), edge);
  }
  return {nodes: [...nodes].sort((a, b) => a - b), edges: [...edges.values()]};
}

/** What concerns these nodes alone: themselves, and the edges that they have. */
export function touchedAmong(touched: Touched, serials: ReadonlySet<number>): Touched {
  return {
    nodes: new Map([...touched.nodes].filter(([serial]) => serials.has(serial))),
    edges: new Map(
      [...touched.edges].filter(([, [[source, , target]]]) => serials.has(source) || serials.has(target)),
    ),
  };
}
