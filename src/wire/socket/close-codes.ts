/** Why a socket is closed; those of 44xx are those of the protocol `graphql-transport-ws`. */
export const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  fault: 1011,
  tryLater: 1013,
  badRequest: 4400,
  unauthorized: 4401,
  forbidden: 4403,
  subprotocol: 4406,
  initTimeout: 4408,
  duplicate: 4409,
  tooSlow: 4410,
  tooManyInits: 4429,
} as const;

/** The longest reason that fits into a frame that closes a socket. */
const REASON_BYTES_MAX = 123;

export function closeReason(text: string): string {
  let reason = text;
  while (Buffer.byteLength(reason) > REASON_BYTES_MAX) reason = reason.slice(0, -1);
  return reason;
}
