import type {FastifyReply, FastifyRequest} from 'fastify';
import {type Static, type TObject, type TProperties, type TSchema, type TUnknown, Type} from 'typebox';
import type {Log} from '../../ports/log.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export const JSON_TYPE = 'application/json';
export const MULTIPART_TYPE = 'multipart/form-data';
export const OCTETS_TYPE = 'application/octet-stream';

/** Accepted by every endpoint, whether or not it reads them. */
export const COMMON_QUERY = {
  branch: Type.Optional(Type.String({description: 'Branch to work on; the default branch when absent.'})),
  at: Type.Optional(Type.String({description: 'Instant to read at: ISO 8601, -`<n>`s|m|h|d, or now.'})),
};

/** What a handler is given, already checked against its row. */
export interface RouteRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly requestId: string;
  readonly log: Log;
  readonly http: FastifyRequest;
}

export type OtherAnswers = Readonly<Record<number, {readonly description: string; readonly schema: TSchema}>>;

interface RouteRow<Params extends TProperties, Query extends TProperties, Body extends TSchema> {
  readonly method: Method;
  /** With `:name` parameters; `*` takes the rest of the path. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** More than the summary says, for the API document. */
  readonly description?: string;
  /** The status of success; 200 unless said. */
  readonly status?: number;
  /** What success answers, with examples; any value when absent. */
  readonly answer?: TSchema;
  /** The media type of success; JSON unless said. */
  readonly answerType?: string;
  /** Answers under other statuses that are no refusals. */
  readonly otherAnswers?: OtherAnswers;
  /** The statuses of refusals beside those that every endpoint has. */
  readonly errors?: readonly number[];
  /** Nobody is asked who they are. */
  readonly isOpen?: true;
  readonly params?: Params;
  /** Beside `branch` and `at`. */
  readonly query?: Query;
  /** Absent: any body is ignored. */
  readonly body?: Body;
  /** The media type of the body; JSON unless said. The handler of a form reads and checks it itself. */
  readonly bodyType?: string;
  handle(
    request: RouteRequest<
      Static<TObject<Params>>,
      Static<TObject<Query & typeof COMMON_QUERY>>,
      Static<Body>
    >,
    reply: FastifyReply,
  ): unknown;
}

/** One row of the table of endpoints: where it is, what it takes, what it does. */
export interface AnyRoute {
  readonly method: Method;
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description: string | undefined;
  readonly status: number;
  readonly answer: TSchema;
  readonly answerType: string;
  readonly otherAnswers: OtherAnswers;
  readonly errors: readonly number[];
  readonly isOpen: boolean;
  readonly params: TObject;
  readonly query: TObject;
  readonly body: TSchema | undefined;
  readonly bodyType: string;
  handle(request: RouteRequest<unknown, unknown, unknown>, reply: FastifyReply): unknown;
}

// biome-ignore lint/complexity/noBannedTypes: `{}` is typebox's word for "no properties".
type None = {};

export function route<
  Params extends TProperties = None,
  Query extends TProperties = None,
  Body extends TSchema = TUnknown,
>(row: RouteRow<Params, Query, Body>): AnyRoute {
  return {
    method: row.method,
    path: row.path,
    summary: row.summary,
    description: row.description,
    status: row.status ?? 200,
    answer: row.answer ?? Type.Unknown(),
    answerType: row.answerType ?? JSON_TYPE,
    otherAnswers: row.otherAnswers ?? {},
    errors: row.errors ?? [],
    isOpen: row.isOpen ?? false,
    params: Type.Object(row.params ?? {}),
    query: Type.Object({...COMMON_QUERY, ...row.query}),
    body: row.body,
    bodyType: row.bodyType ?? JSON_TYPE,
    handle: (request, reply) => row.handle(request as Parameters<typeof row.handle>[0], reply),
  };
}

/** Requests that change something refuse what they do not understand; a stray parameter may name the wrong branch. */
export const writes = (row: Pick<AnyRoute, 'method'>) => row.method !== 'GET';
