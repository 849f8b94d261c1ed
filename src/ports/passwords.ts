/** Passwords as they are stored: a salted hash that begins with `$<algorithm>$`, never the text itself. */
export interface Passwords {
  hash(text: string): Promise<string>;
  /** Takes as long for a hash that no password has. */
  verify(text: string, hash: string): Promise<boolean>;
}
