/** Some bytes of an object, both ends included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

const RANGE = /^bytes=(\d*)-(\d*)$/;

/**
 * What a `Range` header asks of so many bytes. `whole` when it asks for nothing that can be given in one piece: no
 * range, several, or another unit.
 */
export function rangeOf(header: string | undefined, byteLength: number): ByteRange | 'whole' | 'outside' {
  const match = RANGE.exec(header?.trim() ?? '');
  const [, from = '', to = ''] = match ?? [];
  if (from === '' && to === '') return 'whole';
  if (from === '') {
    const length = Math.min(Number(to), byteLength);
    return length === 0 ? 'outside' : {first: byteLength - length, last: byteLength - 1};
  }
  const first = Number(from);
  const last = to === '' ? byteLength - 1 : Math.min(Number(to), byteLength - 1);
  if (to !== '' && Number(to) < first) return 'whole';
  return first >= byteLength ? 'outside' : {first, last};
}
