/** Where a browser may be sent after signing on: below our own origins. Everything else becomes the base. */
export function finalUrl(
  wanted: string | undefined,
  base: string,
  allowedOrigins: readonly string[],
): string {
  if (wanted === undefined || wanted === '' || !URL.canParse(wanted, base)) return base;
  const url = new URL(wanted, base);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  const isOwn = url.origin === new URL(base).origin || allowedOrigins.includes(url.origin);
  const hasUser = url.username !== '' || url.password !== '';
  return isWeb && isOwn && !hasUser ? url.href : base;
}
