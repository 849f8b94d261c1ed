import {Readable} from 'node:stream';
import {Type} from 'typebox';
import type {LastVerification} from '../../app/operations/last-verification.ts';
import {takeBackup} from '../../app/operations/take-backup.ts';
import {type VerifyDeps, verifyStore} from '../../app/operations/verify-store.ts';
import type {Backups} from '../../ports/backups.ts';
import {type AnyRoute, route} from './route.ts';
import type {CallerOf} from './schema-routes.ts';

type Deps = VerifyDeps & {readonly backups: Backups; readonly lastVerification: LastVerification};

const VERIFIED = Type.Object(
  {
    is_sound: Type.Boolean(),
    checked: Type.Record(Type.String(), Type.Integer()),
    problems: Type.Array(Type.String()),
  },
  {examples: [{is_sound: true, checked: {versions: 214}, problems: []}]},
);

/** What operators do with a service that runs. */
export function operationRoutes(deps: Deps, callerOf: CallerOf): readonly AnyRoute[] {
  return [
    route({
      method: 'POST',
      path: '/api/operations/backup',
      summary: 'A backup of everything, as one archive',
      description:
        'The state of one commit, with checksums, while the service goes on. It holds secrets: for administrators alone.',
      errors: [403],
      answer: Type.String({format: 'binary'}),
      answerType: 'application/x-tar',
      async handle({http}, reply) {
        const {commit, bytesAbout, content} = await takeBackup(deps, await callerOf({http}));
        return reply
          .header('content-type', 'application/x-tar')
          .header('cache-control', 'no-store')
          .header('x-backup-commit', String(commit))
          .header('x-backup-bytes-about', String(bytesAbout))
          .send(Readable.from(content, {objectMode: false}));
      },
    }),
    route({
      method: 'POST',
      path: '/api/operations/verify',
      summary: 'Prove everything that is stored',
      errors: [403],
      answer: VERIFIED,
      async handle({http}) {
        const {checked, problems} = await verifyStore(deps, await callerOf({http}));
        return {is_sound: problems.length === 0, checked, problems};
      },
    }),
  ];
}
