import {Readable} from 'node:stream';
import {Type} from 'typebox';
import {type ReadFile, readFile} from '../../app/repository/read-file.ts';
import type {Services} from '../../app/services.ts';
import {unreachable} from '../../base/assert.ts';
import type {GitHost} from '../../ports/git-host.ts';
import {HttpProblem} from '../http/problem.ts';
import {restReadPointOf} from '../read-point.ts';
import {type AnyRoute, route} from './route.ts';
import type {CallerOf} from './schema-routes.ts';

type Deps = Pick<Services, 'store' | 'schemas'> & {readonly git: GitHost; readonly fileBytesMax: number};

/** Files of repositories. */
export function fileRoutes(deps: Deps, callerOf: CallerOf): readonly AnyRoute[] {
  return [
    route({
      method: 'GET',
      path: '/api/file/:repository_id/*',
      summary: 'A file of a Git repository',
      answer: Type.String(),
      answerType: 'text/plain',
      errors: [403, 404, 413],
      params: {
        repository_id: Type.String({description: 'The id or the name of the repository.'}),
        '*': Type.String({title: 'file_path', description: 'The path of the file in the repository.'}),
      },
      query: {
        commit: Type.Optional(
          Type.String({description: 'Hash of a commit; the one that the branch has when absent.'}),
        ),
      },
      async handle({params, query, http}, reply) {
        const caller = await callerOf({http});
        const point = await restReadPointOf(deps.store, query);
        const path = params['*'];
        const outcome = await readFile(deps, caller, {
          point,
          repository: params.repository_id,
          path,
          ...(query.commit === undefined ? {} : {commit: query.commit}),
          bytesMax: deps.fileBytesMax,
        });
        const {content, byteLength} = fileOf(outcome, path, deps.fileBytesMax);
        return reply
          .header('content-type', 'text/plain; charset=utf-8')
          .header('content-length', byteLength)
          .send(Readable.from(content, {objectMode: false}));
      },
    }),
  ];
}

function fileOf(outcome: ReadFile, path: string, bytesMax: number) {
  switch (outcome.is) {
    case 'no-commit':
      throw new HttpProblem(400, 'No commits found on this repository');
    case 'unknown-commit':
      throw new HttpProblem(
        400,
        `Commit ${outcome.commit} not found with GitRepository '${outcome.repository}'.`,
      );
    case 'read': {
      const {file} = outcome;
      const place = `'${outcome.repository}::${outcome.commit}::${path}'`;
      if (file.is === 'file') return file;
      if (file.is === 'outside') throw new HttpProblem(403, `File not in repository ${place}.`);
      if (file.is === 'missing') throw new HttpProblem(404, `Unable to find the file at ${place}.`);
      throw new HttpProblem(
        413,
        `The file at ${place} has ${file.byteLength} bytes; at most ${bytesMax} are served`,
      );
    }
    default:
      return unreachable(outcome);
  }
}
