/** Source of a character class: what Python's `str.isspace`, `strip` and `\s` take for white space. */
export const PYTHON_SPACE =
  '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
