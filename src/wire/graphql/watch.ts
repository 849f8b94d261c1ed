import type {Awaitable} from '../../base/awaitable.ts';
import type {Metrics} from '../../ports/metrics.ts';
import {NO_METRICS} from '../../ports/metrics.ts';
import {NO_TRACER, type Tracer} from '../../ports/tracer.ts';
import type {Answer} from './answer.ts';
import type {OperationMeasure} from './plan/operation-measure.ts';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 10, 60];
const LEVELS = [1, 2, 3, 4, 5, 6, 8, 10, 15, 25, 50];
const FIELDS = [1, 5, 10, 25, 50, 100, 250, 500, 1000, 5000, 20_000];
const KINDS = [1, 2, 3, 4, 5, 8, 13, 21, 50];
const BYTES = [500, 1000, 5000, 10_000, 50_000, 100_000, 500_000, 1_000_000, 10_000_000];

/** What is known of an operation once it was understood. */
export interface WatchedOperation extends OperationMeasure {
  readonly type: string;
}

/** Sees every GraphQL request: how long it took, how large it was, what became of it. */
export class GraphqlWatch {
  readonly tracer: Tracer;
  readonly #answered: (operation: WatchedOperation | undefined, answer: Answer, millis: number) => void;

  constructor(metrics: Metrics, tracer: Tracer) {
    this.tracer = tracer;
    this.#answered = answerMeter(metrics);
  }

  answered(operation: WatchedOperation | undefined, answer: Answer, millis: number): void {
    this.#answered(operation, answer, millis);
  }

  /** One root field, as a span of its own. */
  field<T>(name: string, body: () => Awaitable<T>): Awaitable<T> {
    return this.tracer.isOn
      ? this.tracer.span(`graphql ${name}`, {facts: {'graphql.field': name}}, async () => body())
      : body();
  }
}

export const UNWATCHED = new GraphqlWatch(NO_METRICS, NO_TRACER);

function answerMeter(metrics: Metrics) {
  const labels = ['type'];
  const histogram = (name: string, help: string, buckets: readonly number[]) =>
    metrics.histogram({name, help, labels, buckets});
  const duration = histogram('graphql_duration', 'Seconds that a GraphQL operation took.', SECONDS);
  const depth = histogram('graphql_query_depth', 'Levels of fields of a GraphQL operation.', LEVELS);
  const height = histogram('graphql_query_height', 'Fields that a GraphQL operation asks for.', FIELDS);
  const objects = histogram('graphql_query_objects', 'Kinds that a GraphQL operation is about.', KINDS);
  const size = histogram('graphql_response_size', 'Bytes of the answer to a GraphQL operation.', BYTES);
  const errors = metrics.counter({
    name: 'graphql_query_errors',
    help: 'Errors in answers to GraphQL operations.',
    labels: ['type', 'code'],
  });
  const linesOf = (type: string) => ({
    duration: duration.at({type}),
    size: size.at({type}),
    depth: depth.at({type}),
    height: height.at({type}),
    objects: objects.at({type}),
  });
  const byType = new Map<string, ReturnType<typeof linesOf>>();
  return (operation: WatchedOperation | undefined, answer: Answer, millis: number): void => {
    const type = operation?.type ?? 'refused';
    let lines = byType.get(type);
    if (lines === undefined) {
      lines = linesOf(type);
      byType.set(type, lines);
    }
    lines.duration.observe(millis / 1000);
    lines.size.observe(Buffer.byteLength(answer.text));
    for (const {extensions} of answer.errors) errors.at({type, code: extensions.code}).add();
    if (operation === undefined) return;
    lines.depth.observe(operation.depth);
    lines.height.observe(operation.height);
    lines.objects.observe(operation.kinds.size);
  };
}
