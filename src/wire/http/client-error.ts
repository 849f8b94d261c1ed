import type {Socket} from 'node:net';

const STATUS_LINE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};
const MALFORMED = '400 Bad Request';

/** Bytes that are no HTTP request get the same envelope as everything else, and the connection ends. */
export function answerClientError(error: Error & {readonly code?: string}, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy(error);
    return;
  }
  const line = STATUS_LINE[error.code ?? ''] ?? MALFORMED;
  const status = Number(line.slice(0, 3));
  const body = JSON.stringify({data: null, errors: [{message: line.slice(4), extensions: {code: status}}]});
  socket.end(
    `HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
