/** The form of every password hash we store: `$<algorithm>$…`. */
const HASH = /^\$[a-z0-9-]+\$\S+$/;

export const isPasswordHash = (text: string): boolean => HASH.test(text);
