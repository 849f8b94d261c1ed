import {Type} from 'typebox';
import type {Integrity, LastVerification} from '../../app/operations/last-verification.ts';
import {formatInstant} from '../../domain/time/instant.ts';
import type {Clock} from '../../ports/clock.ts';
import {type HealthCheck, healthReport} from '../http/health.ts';
import {type AnyRoute, route} from './route.ts';

const HEALTH = Type.Object(
  {
    status: Type.Enum(['healthy', 'unhealthy']),
    checks: Type.Array(
      Type.Object({
        name: Type.String(),
        status: Type.Enum(['up', 'down']),
        error: Type.String({description: 'none, or why the component is down, in one word.'}),
      }),
    ),
    timestamp: Type.String(),
    integrity: Type.Optional(
      Type.Object(
        {
          status: Type.Enum(['unknown', 'sound', 'damaged']),
          verified_at: Type.Union([Type.String(), Type.Null()]),
          problems: Type.Integer(),
        },
        {
          description:
            'What the last proof of everything stored has found; /api/operations/verify makes one.',
        },
      ),
    ),
  },
  {
    examples: [
      {
        status: 'healthy',
        checks: [{name: 'database', status: 'up', error: 'none'}],
        timestamp: '2030-06-01T12:00:00.000Z',
      },
    ],
  },
);

/** Whether the service can do its work, for whoever watches it. */
export function healthRoutes(
  checks: readonly HealthCheck[],
  clock: Clock,
  isStopping: () => boolean,
  lastVerification: LastVerification | undefined,
): readonly AnyRoute[] {
  return (['/api/health', '/health'] as const).map(path =>
    route({
      method: 'GET',
      path,
      summary: 'Whether the service works, component by component',
      isOpen: true,
      answer: HEALTH,
      otherAnswers: {503: {description: 'Some component is down.', schema: HEALTH}},
      async handle(_request, reply) {
        // Whoever sends requests here should stop before the door closes.
        const status = isStopping() ? {status: 'unhealthy' as const} : {};
        const report = {
          ...(await healthReport(checks, clock)),
          ...status,
          ...(lastVerification === undefined ? {} : {integrity: integrityFace(lastVerification.integrity)}),
        };
        void reply.header('cache-control', 'no-store').code(report.status === 'healthy' ? 200 : 503);
        return report;
      },
    }),
  );
}

const integrityFace = ({verifiedAt, problems}: Integrity) => ({
  status:
    verifiedAt === undefined
      ? ('unknown' as const)
      : problems === 0
        ? ('sound' as const)
        : ('damaged' as const),
  verified_at: verifiedAt === undefined ? null : formatInstant(verifiedAt),
  problems,
});
