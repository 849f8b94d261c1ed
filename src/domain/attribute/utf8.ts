/** The bytes a well-formed text takes as UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate pair is two units and four bytes, so each half adds one.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

/**
 * Compares two texts as their UTF-8 bytes compare, which is how the databases order our keys.
 *
 * UTF-16 units order the same way except that surrogates (code points from U+10000) sort below
 * U+E000–U+FFFF; lifting each unit from U+D800 up puts that right.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    if (left < 0xd800 || right < 0xd800) return left < right ? -1 : 1;
    return lifted(left) < lifted(right) ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}

function lifted(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}
