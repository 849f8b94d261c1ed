/** A place in a pattern's text that only moves forward, except where a caller saves it. */
export class Cursor {
  readonly chars: readonly string[];
  position = 0;

  constructor(text: string) {
    this.chars = Array.from(text);
  }

  get next(): string | undefined {
    return this.chars[this.position];
  }

  take(): string | undefined {
    return this.chars[this.position++];
  }

  skip(text: string): boolean {
    const chars = Array.from(text);
    if (!chars.every((char, index) => this.chars[this.position + index] === char)) return false;
    this.position += chars.length;
    return true;
  }

  takeWhile(wanted: RegExp, max = Number.POSITIVE_INFINITY): string {
    let taken = '';
    while (taken.length < max && this.next !== undefined && wanted.test(this.next)) taken += this.take();
    return taken;
  }
}
