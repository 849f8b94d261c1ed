export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** A span that is open; it ends by its own hand. */
export interface OpenSpan {
  note(facts: SpanFacts): void;
  fail(error: unknown): void;
  end(): void;
}

export interface SpanStart {
  readonly kind?: 'server' | 'client' | 'consumer';
  readonly facts?: SpanFacts;
}

/**
 * Where time goes, as spans inside each other. What runs inside `body` is inside its span, across every wait. It
 * never fails, and never waits for whoever collects the spans.
 */
export interface Tracer {
  /** False: nothing is collected, and callers may leave out what only a span needs. */
  readonly isOn: boolean;
  span<T>(name: string, start: SpanStart, body: (span: OpenSpan) => Promise<T>): Promise<T>;
  /** Something that has just ended and took this long. */
  past(name: string, start: SpanStart, millis: number): void;
  /** Opens a span that goes on after the call, under the trace that the carrier names if any, and calls `body` in it. */
  enter(
    name: string,
    start: SpanStart & {readonly carrier?: Readonly<Record<string, unknown>>},
    body: (span: OpenSpan) => void,
  ): void;
}

const SILENT: OpenSpan = {note() {}, fail() {}, end() {}};

/** Runs what it is given and does nothing else. */
export const NO_TRACER: Tracer = {
  isOn: false,
  span: (_name, _start, body) => body(SILENT),
  past() {},
  enter: (_name, _start, body) => body(SILENT),
};
