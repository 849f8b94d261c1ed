/** What V8 writes with `--cpu-prof`. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
    readonly children?: readonly number[];
  }[];
  readonly endTime: number;
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** A function as it was called from those above it, with the time in it and in what it called. */
export interface Frame {
  readonly name: string;
  readonly place: string;
  selfMicros: number;
  micros: number;
  readonly below: Map<string, Frame>;
}

const IDLE: ReadonlySet<string> = new Set(['(idle)']);

const frame = (name: string, place: string): Frame => ({
  name,
  place,
  selfMicros: 0,
  micros: 0,
  below: new Map(),
});

/** The last so many microseconds of a profile as a tree, without the time in which nothing ran. */
export function foldProfile(profile: CpuProfile, lastMicros: number): Frame {
  const selfMicros = new Map<number, number>();
  let now = profile.startTime;
  for (const [place, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[place] ?? 0;
    now += delta;
    if (now >= profile.endTime - lastMicros) selfMicros.set(id, (selfMicros.get(id) ?? 0) + delta);
  }
  const byId = new Map(profile.nodes.map(node => [node.id, node]));
  const add = (parent: Frame, id: number): number => {
    const node = byId.get(id)!;
    const {functionName, url, lineNumber} = node.callFrame;
    const name = functionName || '(anonymous)';
    if (IDLE.has(name)) return 0;
    const place = placeOf(url, lineNumber);
    const key = `${name} ${place}`;
    const own = parent.below.get(key) ?? frame(name, place);
    parent.below.set(key, own);
    const spent = selfMicros.get(id) ?? 0;
    let micros = spent;
    for (const child of node.children ?? []) micros += add(own, child);
    own.selfMicros += spent;
    own.micros += micros;
    return micros;
  };
  const root = frame('all', '');
  const top = profile.nodes[0];
  for (const id of top?.children ?? []) root.micros += add(root, id);
  return root;
}

const ROOT = new URL('../../', import.meta.url).href;

function placeOf(url: string, line: number): string {
  if (url === '') return '';
  const path = url.startsWith(ROOT) ? url.slice(ROOT.length) : url;
  return `${path.replace(/^.*node_modules\//, '')}:${line + 1}`;
}

/** Functions by the time that they themselves took, in whatever thread and from wherever they were called. */
export function selfTimes(
  threads: readonly Frame[],
): readonly {readonly name: string; readonly micros: number; readonly share: number}[] {
  const times = new Map<string, number>();
  const collect = ({name, place, selfMicros, below}: Frame): void => {
    const key = `${name} ${place}`;
    times.set(key, (times.get(key) ?? 0) + selfMicros);
    for (const child of below.values()) collect(child);
  };
  for (const thread of threads) collect(thread);
  const whole = threads.reduce((sum, {micros}) => sum + micros, 0);
  return [...times]
    .map(([name, micros]) => ({name, micros, share: micros / whole}))
    .sort((a, b) => b.micros - a.micros);
}
