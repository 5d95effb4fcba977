/** What a span says of itself. Never what people wrote or were answered. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Who it is that a span times: one that is asked, one that takes work from a queue, one that asks. */
export type SpanRole = 'server' | 'consumer' | 'client';

export interface SpanStart {
  readonly role: SpanRole;
  /** The W3C header of the span that this one belongs to; a trace of its own without it. */
  readonly parent?: string | undefined;
  /** Unix milliseconds; now, if it is not told afterwards. */
  readonly startedAtMs?: number;
  readonly attributes?: SpanAttributes;
}

export interface SpanEnd {
  readonly attributes?: SpanAttributes;
  /** What went wrong, in one word, such as an error code. */
  readonly errorType?: string | undefined;
  /** Unix milliseconds; now, if it is not told afterwards. */
  readonly endedAtMs?: number;
}

export interface OpenSpan {
  /** What whoever works for this span is given as its parent. */
  readonly traceparent: string;
  end(end?: SpanEnd): void;
}

/** Spans for a collector. Off, it costs one look. */
export interface Tracing {
  /** Undefined if traces are off. */
  begin(name: string, start: SpanStart): OpenSpan | undefined;
  /** Sends what has not been sent. */
  close(): Promise<void>;
}

export const NO_TRACING: Tracing = { begin: () => undefined, close: async () => undefined };

export interface TracingSettings {
  readonly service: string;
  /** Of an OTLP collector over HTTP, such as `http://collector:4318`; no traces without it. */
  readonly endpoint: string | undefined;
  /** The share of traces that are kept of those that begin here; a caller's own decision is followed. */
  readonly sampleRatio: number;
}
