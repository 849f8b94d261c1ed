import {Type} from 'typebox';
import {type AnyRoute, route} from './route.ts';

export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

/** Numbers about the service, in the text format of Prometheus. */
export function metricsRoutes(metrics: MetricsText): readonly AnyRoute[] {
  return (['/api/metrics', '/metrics'] as const).map(path =>
    route({
      method: 'GET',
      path,
      summary: 'Numbers about the service, in the text format of Prometheus',
      isOpen: true,
      answer: Type.String({examples: ['# TYPE graphql_duration histogram']}),
      answerType: 'text/plain',
      async handle(_request, reply) {
        return reply
          .header('content-type', metrics.contentType)
          .header('cache-control', 'no-store')
          .send(await metrics.text());
      },
    }),
  );
}
