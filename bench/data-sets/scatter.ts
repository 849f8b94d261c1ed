/**
 * A number from 0 to 2^32 - 1 that looks random and depends on nothing but its arguments: any object of a data set
 * can be made without those before it. For one salt no two indexes give the same number.
 */
export function scatter(index: number, salt: number): number {
  let bits = (index + Math.imul(salt, 0x9e37_79b1)) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

export function pick<T>(list: readonly T[], index: number, salt: number): T {
  return list[scatter(index, salt) % list.length]!;
}
