import {Type} from 'typebox';

const Envelope = {
  data: Type.Null(),
  errors: Type.Array(
    Type.Object({
      message: Type.String(),
      extensions: Type.Object({
        code: Type.Integer({description: 'The HTTP status.'}),
        request_id: Type.Optional(
          Type.String({description: 'Of an unexpected fault: where the log has more.'}),
        ),
      }),
    }),
  ),
};

/** The bodies of refusals, by the names they have in the document. */
export const ERROR_SCHEMAS = {
  Errors: Type.Object(Envelope, {
    examples: [{data: null, errors: [{message: 'Branch: dev not found.', extensions: {code: 400}}]}],
  }),
  AuthenticationErrors: Type.Object(
    {errors: Type.Array(Type.String())},
    {examples: [{errors: ['Authentication is required']}]},
  ),
  ValidationErrors: Type.Object(
    {
      ...Envelope,
      detail: Type.Optional(
        Type.Array(
          Type.Object({
            loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
            msg: Type.String(),
            type: Type.String(),
          }),
          {description: 'Each flaw and its place in the request.'},
        ),
      ),
    },
    {
      examples: [
        {
          data: null,
          errors: [{message: 'body.username: Field required', extensions: {code: 422}}],
          detail: [{loc: ['body', 'username'], msg: 'Field required', type: 'missing'}],
        },
      ],
    },
  ),
} as const;

type ErrorSchemaName = keyof typeof ERROR_SCHEMAS;

interface ErrorResponse {
  readonly description: string;
  readonly schema: ErrorSchemaName;
}

const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request cannot be understood: no such branch, a time that is none, a body that is no JSON.',
  401: 'No credential where one is needed, or one that is not good.',
  403: 'The caller may not do this.',
  404: 'There is no such thing.',
  409: 'It cannot be done in the present state.',
  413: 'The body is too large.',
  415: 'The body is of a media type that this endpoint does not read.',
  416: 'The range lies outside the object.',
  422: 'The request is understood and cannot be processed; every flaw is told at once.',
  429: 'Too many attempts; Retry-After says when to come back.',
  500: 'An unexpected fault; the log has more under the request id.',
  502: 'Somebody that the service depends on failed.',
  503: 'The service cannot do this now: it is stopping, or its disk is full or failing.',
  504: 'Somebody that the service depends on took too long.',
};

export function errorResponse(status: number): ErrorResponse {
  const description = MEANINGS[status] ?? 'The request was refused.';
  if (status === 401) return {description, schema: 'AuthenticationErrors'};
  return {description, schema: status === 422 ? 'ValidationErrors' : 'Errors'};
}
