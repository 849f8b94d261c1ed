import {describe, expect, test} from 'vitest';
import {
  authenticationRequired,
  branchNotFound,
  constraintViolation,
  kindNotFound,
  nodeNotFound,
  permissionDenied,
  unavailable,
  validationError,
} from '../../src/domain/errors.ts';
import {HttpProblem} from '../../src/wire/http/problem.ts';
import {route} from '../../src/wire/rest/route.ts';
import {envelope, openServer} from './open-server.ts';

async function answerTo(error: unknown) {
  const failing = route({
    method: 'GET',
    path: '/api/fail',
    summary: 'Fails',
    handle: () => {
      throw error;
    },
  });
  const {server, lines} = await openServer({routes: [failing]});
  return {answer: await server.inject('/api/fail'), lines};
}

describe('an error that a caller causes', () => {
  test.each([
    [branchNotFound('dev'), 400, 'Branch: dev not found.'],
    [constraintViolation('name must be unique'), 422, 'name must be unique'],
    [nodeNotFound('InfraDevice', 'x'), 404, 'Unable to find the node x / InfraDevice in the database.'],
    [permissionDenied('not yours'), 403, 'not yours'],
    [kindNotFound('Nope'), 404, "Unable to find the schema 'Nope' on this branch"],
    [unavailable('the disk is full'), 503, 'the disk is full'],
    [new HttpProblem(400, 'Invalid time format for yesterday'), 400, 'Invalid time format for yesterday'],
  ])('%s has its status and its message in the envelope', async (error, status, message) => {
    const {answer} = await answerTo(error);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual(envelope(status, message));
  });

  test('401 has messages as plain texts and nothing else', async () => {
    const {answer} = await answerTo(authenticationRequired('Expired Signature'));
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({errors: ['Expired Signature']});
  });

  test('failed validation is 422 and says where', async () => {
    const {answer} = await answerTo(validationError('no such colour', {loc: ['body', 'data', 'colour']}));
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toEqual({
      ...envelope(422, 'no such colour'),
      detail: [{loc: ['body', 'data', 'colour'], msg: 'no such colour', type: 'value_error'}],
    });
  });
});

describe('an unexpected fault', () => {
  test.each([
    ['an error', new Error('password=hunter2 at /srv/secret.ts')],
    [
      'a database error with a status of its own',
      Object.assign(new Error('hunter2'), {statusCode: 404, code: 'X'}),
    ],
    [
      'an error of the framework that is our mistake',
      Object.assign(new Error('hunter2'), {statusCode: 500, code: 'FST_ERR_X'}),
    ],
    ['no error at all', 'hunter2'],
  ])('(%s) is 500 with the request id, and only the log has the rest', async (_what, error) => {
    const {answer, lines} = await answerTo(error);
    const requestId = String(answer.headers['x-request-id']);
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      data: null,
      errors: [
        {
          message: `An unexpected fault occurred; the log has more under request id ${requestId}`,
          extensions: {code: 500, request_id: requestId},
        },
      ],
    });
    expect(answer.body).not.toMatch(/hunter2|\.ts|node_modules/);
    const logged = lines.find(line => line.level === 'ERROR');
    expect(logged).toMatchObject({request_id: requestId});
    expect(JSON.stringify(logged)).toContain('hunter2');
  });
});
