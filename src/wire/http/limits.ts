/** Bounds of HTTP itself that no setting changes. */
export const PATH_PARAMETER_CHARACTERS_MAX = 2048;
export const HEADERS_MILLIS_MAX = 30_000;
export const REQUEST_MILLIS_MAX = 300_000;
export const KEEP_ALIVE_MILLIS_MAX = 72_000;

/** When to come back after a 503. */
export const RETRY_AFTER_SECONDS = '1';
/** Below this an answer is not worth compressing. */
export const COMPRESSED_BYTES_MIN = 100_000;
