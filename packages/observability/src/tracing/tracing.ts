/** A span's attributes. Never a prompt or a response. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** What a span times: a received request, a job from a queue, a sent request, or an internal step. */
export type SpanRole = 'server' | 'consumer' | 'client' | 'internal';

export interface SpanOptions {
  readonly role: SpanRole;
  /** `traceparent` of the parent span. Default: the active span, or a new trace. */
  readonly parent?: string | undefined;
  /**
   * `traceparent` of a span that led to this one and has ended, such as the request that submitted a task. This span is
   * sampled if that one was. Null: that one was not traced, so the sample ratio decides.
   */
  readonly link?: string | null;
  /** Unix milliseconds. Default: now. */
  readonly startedAtMs?: number;
  readonly attributes?: SpanAttributes;
}

export interface SpanUpdate {
  readonly attributes?: SpanAttributes;
  /** One word, such as an error code. */
  readonly errorType?: string | undefined;
}

export interface SpanEnd extends SpanUpdate {
  /** Unix milliseconds. Default: now. */
  readonly endedAtMs?: number;
}

export interface SpanHandle {
  /** The parent for spans of other processes that work for this span. */
  readonly traceparent: string;
  end(end?: SpanEnd): void;
}

/** The span of running work; it ends with the work. */
export interface ActiveSpan {
  /** Undefined if tracing is off. */
  readonly traceparent: string | undefined;
  update(changes: SpanUpdate): void;
}

/** Records spans for a collector. Free if tracing is off. */
export interface Tracing {
  /** Undefined if tracing is off. */
  startSpan(name: string, start: SpanOptions): SpanHandle | undefined;
  /**
   * Runs the work as the active span: spans that start in it, at any depth, become its children. If the work throws, the
   * span records the error's code, never its message.
   */
  withSpan<Result>(name: string, start: SpanOptions, work: (span: ActiveSpan) => Promise<Result>): Promise<Result>;
  /** Exports the spans that are still buffered. */
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
  /** OTLP collector over HTTP, such as `http://collector:4318`. Undefined disables tracing. */
  readonly endpoint: string | undefined;
  /** Share of new traces to sample, 0 to 1. A caller's sampling decision overrides it. */
  readonly sampleRatio: number;
}
