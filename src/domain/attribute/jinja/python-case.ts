/** Letters whose title case is neither themselves nor their upper case. */
const TITLE_CASE: Readonly<Record<string, string>> = {
  Ǆ: 'ǅ',
  ǅ: 'ǅ',
  ǆ: 'ǅ',
  Ǉ: 'ǈ',
  ǈ: 'ǈ',
  ǉ: 'ǈ',
  Ǌ: 'ǋ',
  ǋ: 'ǋ',
  ǌ: 'ǋ',
  Ǳ: 'ǲ',
  ǲ: 'ǲ',
  ǳ: 'ǲ',
  ᾳ: 'ᾼ',
  ῃ: 'ῌ',
  ῳ: 'ῼ',
  ᾲ: 'Ὰ\u0345',
  ᾴ: 'Ά\u0345',
  ᾷ: 'Α\u0342\u0345',
  ῂ: 'Ὴ\u0345',
  ῄ: 'Ή\u0345',
  ῇ: 'Η\u0342\u0345',
  ῲ: 'Ὼ\u0345',
  ῴ: 'Ώ\u0345',
  ῷ: 'Ω\u0342\u0345',
  ŉ: 'ʼN',
};

/** `str.capitalize` of Python: the first letter in title case, the rest in lower case. */
export function capitalize(text: string): string {
  const [first] = text;
  if (first === undefined) return '';
  // The whole text is lowered, since the form of a sigma depends on the letters around it.
  return titleCase(first) + text.toLowerCase().slice(first.toLowerCase().length);
}

function titleCase(char: string): string {
  const codePoint = char.codePointAt(0) as number;
  const known = TITLE_CASE[char];
  if (known !== undefined) return known;
  if (codePoint >= 0x10d0 && codePoint <= 0x10ff) return char;
  if (codePoint >= 0x1f80 && codePoint <= 0x1faf) return String.fromCodePoint(codePoint | 8);
  if (/\p{Lt}/u.test(char)) return char;
  const [head, ...tail] = Array.from(char.toUpperCase()) as [string, ...string[]];
  return head + tail.join('').toLowerCase();
}
