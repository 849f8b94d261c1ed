/** What sockets may take. Over any of these they are refused or closed, with a code that says why. */
export interface SocketLimits {
  readonly socketsPerAccountMax: number;
  /** Operations that run at once on one socket. */
  readonly operationsPerSocketMax: number;
  readonly messageBytesMax: number;
  /** Bytes that wait for a reader; while there are more, nothing is added and nothing is read from it. */
  readonly unsentBytesMax: number;
  /** How long a reader may take no bytes at all while some wait. */
  readonly slowSeconds: number;
  /** How long a socket may stay open without saying who it comes from. */
  readonly initSeconds: number;
  readonly keepAliveSeconds: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  socketsPerAccountMax: 5_000,
  operationsPerSocketMax: 100,
  messageBytesMax: 1_048_576,
  unsentBytesMax: 262_144,
  slowSeconds: 30,
  initSeconds: 10,
  keepAliveSeconds: 25,
};
