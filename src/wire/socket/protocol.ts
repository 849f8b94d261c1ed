import {isJsonObject, type Json} from '../../base/json.ts';
import type {ErrorJson} from '../graphql/errors.ts';
import type {Asked} from '../graphql/transport/graphql-request.ts';
import {askedInBody} from '../graphql/transport/graphql-request.ts';
import {HttpProblem} from '../http/problem.ts';

/** What a client says, whatever the protocol calls it. */
export type ClientMessage =
  | {readonly is: 'init'; readonly payload: Json}
  | {readonly is: 'start'; readonly id: string; readonly asked: Asked}
  | {readonly is: 'stop'; readonly id: string}
  | {readonly is: 'terminate'}
  | {readonly is: 'ping'; readonly payload: Json}
  | {readonly is: 'pong'}
  | {readonly is: 'bad'; readonly id: string | undefined; readonly why: string};

/** One of the two ways of speaking GraphQL over a socket. */
export interface Protocol {
  readonly name: string;
  read(text: string): ClientMessage;
  readonly ack: string;
  /** The answer or event whose body is given as text. */
  data(id: string, body: string): string;
  error(id: string | undefined, errors: readonly Pick<ErrorJson, 'message'>[]): string;
  complete(id: string): string;
  pong(payload: Json): string;
  /** A message that makes no sense is answered, or ends the socket. */
  readonly badEndsSocket: boolean;
  /** An operation may begin with the credentials of the handshake alone. */
  readonly startsUninitialised: boolean;
  /** An operation under an id in use takes its place, or ends the socket. */
  readonly duplicateEndsSocket: boolean;
  readonly confirmsStop: boolean;
}

/** The words by which the protocols say what is the same in both. */
interface Words {
  readonly start: string;
  readonly stop: string;
  readonly terminate: string | undefined;
  readonly ping: string | undefined;
}

function reader(words: Words): (text: string) => ClientMessage {
  return text => {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return bad(undefined, 'The message is not valid JSON');
    }
    if (!isJsonObject(message)) return bad(undefined, 'The message is not a JSON object');
    const {type, payload = null} = message;
    const id = idOf(message.id);
    if (type === 'connection_init') {
      return payload === null || isJsonObject(payload)
        ? {is: 'init', payload}
        : bad(undefined, 'The payload of connection_init must be an object');
    }
    if (type === words.start) return id === undefined ? idMissing(type) : start(id, payload);
    if (type === words.stop) return id === undefined ? idMissing(type) : {is: 'stop', id};
    if (words.terminate !== undefined && type === words.terminate) return {is: 'terminate'};
    if (words.ping !== undefined && type === words.ping) return {is: 'ping', payload};
    if (words.ping !== undefined && type === 'pong') return {is: 'pong'};
    return bad(id, 'Invalid message type!');
  };
}

const ID_CHARACTERS_MAX = 256;

/** A number is taken for its text: some clients count. */
function idOf(id: Json | undefined): string | undefined {
  const text = typeof id === 'number' ? String(id) : id;
  return typeof text === 'string' && text !== '' && text.length <= ID_CHARACTERS_MAX ? text : undefined;
}

const bad = (id: string | undefined, why: string): ClientMessage => ({is: 'bad', id, why});

const idMissing = (type: string): ClientMessage =>
  bad(undefined, `A message of the type ${type} needs an id, a text of 1 to ${ID_CHARACTERS_MAX} characters`);

function start(id: string, payload: Json): ClientMessage {
  try {
    return {is: 'start', id, asked: askedInBody(payload)};
  } catch (error) {
    if (error instanceof HttpProblem) return bad(id, error.message);
    throw error;
  }
}

const line = (type: string, id: string): string => `{"type":"${type}","id":${JSON.stringify(id)}`;

/** The protocol of the interface, as subscriptions-transport-ws speaks it. */
export const GRAPHQL_WS: Protocol = {
  name: 'graphql-ws',
  read: reader({start: 'start', stop: 'stop', terminate: 'connection_terminate', ping: undefined}),
  ack: '{"type":"connection_ack"}',
  data: (id, body) => `${line('data', id)},"payload":${body}}`,
  error: (id, errors) =>
    JSON.stringify({type: 'error', ...(id === undefined ? {} : {id}), payload: errors[0] ?? {message: ''}}),
  complete: id => `${line('complete', id)}}`,
  pong: () => '',
  badEndsSocket: false,
  startsUninitialised: true,
  duplicateEndsSocket: false,
  confirmsStop: true,
};

export const GRAPHQL_TRANSPORT_WS: Protocol = {
  name: 'graphql-transport-ws',
  read: reader({start: 'subscribe', stop: 'complete', terminate: undefined, ping: 'ping'}),
  ack: '{"type":"connection_ack"}',
  data: (id, body) => `${line('next', id)},"payload":${body}}`,
  error: (id, errors) => JSON.stringify({type: 'error', id, payload: errors}),
  complete: id => `${line('complete', id)}}`,
  pong: payload => JSON.stringify({type: 'pong', ...(payload === null ? {} : {payload})}),
  badEndsSocket: true,
  startsUninitialised: false,
  duplicateEndsSocket: true,
  confirmsStop: false,
};

export const PROTOCOLS: readonly Protocol[] = [GRAPHQL_TRANSPORT_WS, GRAPHQL_WS];
