/** Text and shapes of a plot. Colours are classes, so that a reader's light or dark page decides them. */

const FONT_PIXELS = 12;
const GLYPH_WIDTH = 0.56;

const STYLE = `
  text { font: ${FONT_PIXELS}px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328; }
  .title { font-size: 15px; font-weight: 600; }
  .head { font-weight: 600; }
  .quiet { fill: #59636e; }
  .end { text-anchor: end; }
  .middle { text-anchor: middle; }
  .page { fill: #ffffff; }
  .grid { stroke: #d1d9e0; stroke-width: 1; }
  .mark { stroke: #59636e; stroke-width: 1.5; stroke-dasharray: 4 3; }
  .c0 { fill: #0969da; } .c1 { fill: #9a6700; } .c2 { fill: #1a7f37; } .c3 { fill: #8250df; } .c4 { fill: #59636e; } .c5 { fill: #bc4c00; }
  .l0 { stroke: #0969da; } .l1 { stroke: #9a6700; } .l2 { stroke: #1a7f37; } .l3 { stroke: #8250df; } .l4 { stroke: #59636e; } .l5 { stroke: #bc4c00; }
  .line { fill: none; stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .quiet { fill: #9198a1; }
    .page { fill: #0d1117; }
    .grid { stroke: #3d444d; }
    .mark { stroke: #9198a1; }
    .c0 { fill: #4493f8; } .c1 { fill: #d29922; } .c2 { fill: #3fb950; } .c3 { fill: #ab7df8; } .c4 { fill: #9198a1; } .c5 { fill: #f0883e; }
    .l0 { stroke: #4493f8; } .l1 { stroke: #d29922; } .l2 { stroke: #3fb950; } .l3 { stroke: #ab7df8; } .l4 { stroke: #9198a1; } .l5 { stroke: #f0883e; }
  }`;

export const COLOURS = 6;

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** About as wide as the text will be. */
export const widthOf = (text: string): number => text.length * FONT_PIXELS * GLYPH_WIDTH;

export const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(widthOf));

const rounded = (value: number): string => String(Math.round(value * 10) / 10);

export const text = (x: number, y: number, words: string, classes = ''): string =>
  `<text x="${rounded(x)}" y="${rounded(y)}"${classes === '' ? '' : ` class="${classes}"`}>${escaped(words)}</text>`;

export const bar = (x: number, y: number, width: number, height: number, classes: string): string =>
  `<rect x="${rounded(x)}" y="${rounded(y)}" width="${rounded(Math.max(1, width))}" height="${rounded(height)}" rx="2" class="${classes}"/>`;

export const line = (x1: number, y1: number, x2: number, y2: number, classes: string): string =>
  `<line x1="${rounded(x1)}" y1="${rounded(y1)}" x2="${rounded(x2)}" y2="${rounded(y2)}" class="${classes}"/>`;

export const path = (points: readonly (readonly [x: number, y: number])[], classes: string): string =>
  `<polyline points="${points.map(([x, y]) => `${rounded(x)},${rounded(y)}`).join(' ')}" class="${classes}"/>`;

export const dot = (x: number, y: number, classes: string): string =>
  `<circle cx="${rounded(x)}" cy="${rounded(y)}" r="3" class="${classes}"/>`;

export function svg(width: number, height: number, title: string, parts: readonly string[]): string {
  const size = `width="${Math.ceil(width)}" height="${Math.ceil(height)}" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escaped(title).replaceAll('"', '&quot;')}">`,
    `<style>${STYLE}\n</style>`,
    `<rect width="100%" height="100%" class="page"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}
