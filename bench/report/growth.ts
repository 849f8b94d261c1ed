/** The exponent b of `a * size^b` that fits best: 0 is flat, 1 grows with the data. */
export function exponent(measured: readonly (readonly [size: number, value: number])[]): number | undefined {
  if (measured.length < 2) return undefined;
  const points = measured.map(([size, value]) => [Math.log(size), Math.log(value)] as const);
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / spread;
}
