import type {Frame} from './cpu-profile.ts';

const WIDTH = 1200;
const ROW = 15;
/** Narrower than this nothing can be read; leaving it out keeps the picture small. */
const WIDTH_MIN = 1.2;
const CHARACTER = 6.2;

/** A self-contained picture: the threads beside each other, callers above what they call; names show on hover. */
export function flameGraph(threads: readonly Frame[]): string {
  const whole = threads.reduce((sum, {micros}) => sum + micros, 0);
  const boxes: string[] = [];
  let deepest = 0;
  const draw = (one: Frame, left: number, depth: number): void => {
    const width = (WIDTH * one.micros) / whole;
    if (width < WIDTH_MIN) return;
    deepest = Math.max(deepest, depth);
    boxes.push(box(one, left, depth, width, whole));
    let at = left;
    for (const child of [...one.below.values()].sort((a, b) => b.micros - a.micros)) {
      draw(child, at, depth + 1);
      at += (WIDTH * child.micros) / whole;
    }
  };
  let left = 0;
  for (const [place, thread] of threads.entries()) {
    draw({...thread, name: place === 0 ? 'main thread' : `thread ${place}`}, left, 0);
    left += (WIDTH * thread.micros) / whole;
  }
  const height = (deepest + 1) * ROW;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}"
font-family="monospace" font-size="10"><style>rect{stroke:#fff;stroke-width:.5}text{pointer-events:none}</style>
${boxes.join('\n')}
</svg>
`;
}

function box(
  {name, place, micros}: Frame,
  left: number,
  depth: number,
  width: number,
  whole: number,
): string {
  const x = left.toFixed(1);
  const y = depth * ROW;
  const share = ((100 * micros) / whole).toFixed(1);
  const shown = name.slice(0, Math.max(0, Math.floor((width - 4) / CHARACTER)));
  const label =
    shown.length < 3 ? '' : `<text x="${(left + 2).toFixed(1)}" y="${y + 11}">${escaped(shown)}</text>`;
  const title = escaped(`${name} ${place} ${share} %`);
  return `<rect x="${x}" y="${y}" width="${width.toFixed(1)}" height="${ROW}" fill="${colour(place)}"><title>${title}</title></rect>${label}`;
}

/** Ours, those of packages, those of Node, and the engine itself. */
function colour(place: string): string {
  if (place.startsWith('src/')) return '#f4b183';
  if (place.startsWith('node:')) return '#9dc3e6';
  return place === '' ? '#d0cece' : '#c5e0b4';
}

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
