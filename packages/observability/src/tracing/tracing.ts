/** What a span says of itself. Never what people wrote or were answered. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Who it is that a span times: one that is asked, one that takes work from a queue, one that asks, or a step inside. */
export type SpanRole = 'server' | 'consumer' | 'client' | 'internal';

export interface SpanOptions {
  readonly role: SpanRole;
  /** The W3C header of the span that this one belongs to; without it the one that it begins within, or a trace of its own. */
  readonly parent?: string | undefined;
  /**
   * The W3C header of a span that this one goes back to and is no part of: its request was answered long ago. It is told if
   * that one was; null: what it goes back to was not traced, and this span stands for itself.
   */
  readonly link?: string | null;
  /** Unix milliseconds; now, if it is not told afterwards. */
  readonly startedAtMs?: number;
  readonly attributes?: SpanAttributes;
}

export interface SpanUpdate {
  readonly attributes?: SpanAttributes;
  /** What went wrong, in one word, such as an error code. */
  readonly errorType?: string | undefined;
}

export interface SpanEnd extends SpanUpdate {
  /** Unix milliseconds; now, if it is not told afterwards. */
  readonly endedAtMs?: number;
}

export interface SpanHandle {
  /** What whoever works for this span is given as its parent. */
  readonly traceparent: string;
  end(end?: SpanEnd): void;
}

/** A span that ends with the work in it. */
export interface ActiveSpan {
  /** Undefined if traces are off. */
  readonly traceparent: string | undefined;
  update(note: SpanUpdate): void;
}

/** Spans for a collector. Off, it costs one look. */
export interface Tracing {
  /** Undefined if traces are off. */
  startSpan(name: string, start: SpanOptions): SpanHandle | undefined;
  /**
   * Does the work within a span: what begins in it, however deep, belongs to it. Work that throws has failed of the code of
   * what it throws; the words stay out of the span.
   */
  withSpan<Result>(name: string, start: SpanOptions, work: (span: ActiveSpan) => Promise<Result>): Promise<Result>;
  /** Sends what has not been sent. */
  close(): Promise<void>;
}

const NO_SPAN: ActiveSpan = { traceparent: undefined, update: () => undefined };

export const NO_TRACING: Tracing = {
  startSpan: () => undefined,
  withSpan: (_name, _start, work) => work(NO_SPAN),
  close: async () => undefined,
};

export interface TracingSettings {
  readonly service: string;
  /** Of an OTLP collector over HTTP, such as `http://collector:4318`; no traces without it. */
  readonly endpoint: string | undefined;
  /** The share of traces that are kept of those that begin here; a caller's own decision is followed. */
  readonly sampleRatio: number;
}
