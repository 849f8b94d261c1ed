import autocannon from 'autocannon';
import type {PeerQuestion, Sent} from './questions.ts';

const BODIES = 200;

export interface Load {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly question: PeerQuestion;
  readonly ask: (serial: number) => Sent;
  readonly seconds: number;
  /** No more than so many in a second. */
  readonly perSecondMax?: number;
}

/** Serials of writes: none is given twice, whoever asks. */
let nextWrite = 0;

/** Asks over kept-alive connections, each waiting for its answer before it asks again. */
export async function load({
  address,
  headers,
  question,
  ask,
  seconds,
  perSecondMax,
}: Load): Promise<{answers: number; seconds: number}> {
  const base = {method: 'POST' as const, headers: {'content-type': 'application/json', ...headers}};
  const requests =
    question.isWrite === true
      ? [
          {
            ...base,
            setupRequest: (request: autocannon.Request) => {
              nextWrite += 1;
              return Object.assign(request, ask(nextWrite));
            },
          },
        ]
      : Array.from({length: BODIES}, (_, serial) => ({...base, ...ask(serial)}));
  const result = await autocannon({
    url: address,
    connections: perSecondMax === undefined ? question.clients : 1,
    ...(perSecondMax === undefined ? {} : {overallRate: perSecondMax}),
    duration: seconds,
    requests,
    // A GraphQL answer may be an error in a good envelope: what was written must come back with its id.
    ...(question.isWrite === true ? {verifyBody: (body: unknown) => String(body).includes('"id":')} : {}),
  });
  const failed = result.non2xx + result.errors + result.mismatches;
  if (failed > 0) throw new Error(`${failed} answers were refused: ${question.name} at ${address}`);
  return {answers: result.requests.total, seconds: result.duration};
}

/** One answer, looked at: the same objects as everybody else's, and no error. */
export async function probe(
  address: string,
  headers: Readonly<Record<string, string>>,
  question: PeerQuestion,
  ask: (serial: number) => Sent,
): Promise<number> {
  nextWrite += 1;
  const {path, body} = ask(question.isWrite === true ? nextWrite : 1);
  const init = {method: 'POST', headers: {'content-type': 'application/json', ...headers}, body};
  const response = await fetch(`${address}${path}`, init);
  const text = await response.text();
  const objects = text.match(/"id":/g)?.length ?? 0;
  if (!response.ok || text.includes('"errors"') || objects !== question.objects) {
    const words = `${objects} objects instead of ${question.objects}`;
    throw new Error(`${question.name} at ${address}: ${response.status}, ${words}: ${text.slice(0, 500)}`);
  }
  return Buffer.byteLength(text);
}
