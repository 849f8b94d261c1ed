import {AsyncLocalStorage} from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import {OTLPTraceExporter as GrpcExporter} from '@opentelemetry/exporter-trace-otlp-grpc';
import {OTLPTraceExporter as HttpExporter} from '@opentelemetry/exporter-trace-otlp-http';
import {resourceFromAttributes} from '@opentelemetry/resources';
import {BatchSpanProcessor, NodeTracerProvider} from '@opentelemetry/sdk-trace-node';
import type {OpenSpan, SpanStart, Tracer} from '../../ports/tracer.ts';

export interface TraceSettings {
  readonly protocol: 'grpc' | 'http';
  readonly endpoint: string;
  readonly version: string;
}

export interface OtelTracer extends Tracer {
  /** Sends what is left, for a moment at most: whoever collects the spans may be gone. */
  close(): Promise<void>;
}

const SPANS_WAITING_MAX = 8192;
const SPANS_PER_EXPORT_MAX = 512;
const EXPORT_EVERY_MILLIS = 1000;
const EXPORT_MILLIS_MAX = 5000;
const CLOSE_MILLIS_MAX = 2000;

const KINDS = {server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER} as const;

/** Spans for an OpenTelemetry collector. When it is down, or too slow, spans are dropped and nothing else happens. */
export function otelTracer({protocol, endpoint, version}: TraceSettings): OtelTracer {
  const exporter =
    protocol === 'grpc'
      ? new GrpcExporter({url: endpoint, timeoutMillis: EXPORT_MILLIS_MAX})
      : new HttpExporter({url: tracesUrl(endpoint), timeoutMillis: EXPORT_MILLIS_MAX});
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({'service.name': 'trellis', 'service.version': version}),
    spanProcessors: [
      new BatchSpanProcessor(exporter, {
        maxQueueSize: SPANS_WAITING_MAX,
        maxExportBatchSize: SPANS_PER_EXPORT_MAX,
        scheduledDelayMillis: EXPORT_EVERY_MILLIS,
        exportTimeoutMillis: EXPORT_MILLIS_MAX,
      }),
    ],
  });
  const tracer = provider.getTracer('trellis', version);
  const current = new AsyncLocalStorage<Context>();
  const here = () => current.getStore() ?? ROOT_CONTEXT;
  const start = (name: string, {kind, facts}: SpanStart, parent: Context, startTime?: number): Span =>
    tracer.startSpan(
      name,
      {
        kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind],
        ...(facts === undefined ? {} : {attributes: facts}),
        ...(startTime === undefined ? {} : {startTime}),
      },
      parent,
    );
  return {
    isOn: true,
    span(name, options, body) {
      const parent = here();
      const span = start(name, options, parent);
      const open = openSpan(span);
      return current.run(trace.setSpan(parent, span), async () => {
        try {
          return await body(open);
        } catch (error) {
          open.fail(error);
          throw error;
        } finally {
          span.end();
        }
      });
    },
    past(name, options, millis) {
      const end = performance.timeOrigin + performance.now();
      start(name, options, here(), end - millis).end(end);
    },
    enter(name, {carrier, ...options}, body) {
      const parent = carried(carrier) ?? here();
      const span = start(name, options, parent);
      current.run(trace.setSpan(parent, span), () => body(openSpan(span)));
    },
    async close() {
      const {promise: late, resolve} = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, CLOSE_MILLIS_MAX);
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

function openSpan(span: Span): OpenSpan {
  return {
    note: facts => void span.setAttributes(facts),
    fail(error) {
      const message = error instanceof Error ? error.message : String(error);
      span.setStatus({code: SpanStatusCode.ERROR, message});
      span.recordException(error instanceof Error ? error : message);
    },
    end: () => span.end(),
  };
}

const TRACE_PARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/** The span of the caller, in the W3C form. */
function carried(carrier: Readonly<Record<string, unknown>> | undefined): Context | undefined {
  const match = TRACE_PARENT.exec(String(carrier?.traceparent ?? ''));
  const [, traceId, spanId, flags] = match ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, {traceId, spanId, traceFlags, isRemote: true});
}

/** An address without a path is that of a collector, which takes traces at a path of their own. */
function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  if (url.pathname === '/') url.pathname = '/v1/traces';
  return url.href;
}
