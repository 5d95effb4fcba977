import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { parseTraceparent } from '../traceparent.js';
import { LinkedSampler } from './linked-sampler.js';
import type { SpanEnd, SpanHandle, SpanOptions, SpanUpdate, Tracing, TracingSettings } from './tracing.js';

const KINDS = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

/** Spans over OTLP, in batches, on the side: a collector that is away costs spans and nothing else. */
export function otlpTracing({ service, endpoint, sampleRatio }: Required<TracingSettings>): Tracing {
  const own = resourceFromAttributes({ 'service.name': `gateway-${service}`, 'service.namespace': 'gateway' });
  const provider = new TracerProvider({
    // What OTEL_RESOURCE_ATTRIBUTES says besides, or instead.
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new LinkedSampler(new TraceIdRatioBasedSampler(sampleRatio)) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) })],
  });
  const tracer = provider.getTracer('gateway');
  const around = new AsyncLocalStorage<string>();
  const open = (name: string, start: SpanOptions): Span => startSpan(tracer, name, start, around.getStore());
  return {
    startSpan: (name, start) => openSpan(open(name, start)),
    async withSpan(name, start, work) {
      const span = open(name, start);
      const traceparent = traceparentOf(span);
      try {
        return await around.run(traceparent, () => work({ traceparent, update: (said) => note(span, said) }));
      } catch (error) {
        note(span, { errorType: errorTypeOf(error) });
        throw error;
      } finally {
        span.end();
      }
    },
    close: () => provider.shutdown(),
  };
}

function startSpan(
  tracer: Tracer,
  name: string,
  { role, parent, link, startedAtMs, attributes = {} }: SpanOptions,
  around: string | undefined,
): Span {
  const above = contextOf(parent ?? around);
  const before = contextOf(link ?? undefined);
  const options = {
    kind: KINDS[role],
    attributes: attributes as Attributes,
    // What is of the same trace is connected already.
    ...(before !== undefined && before.traceId !== above?.traceId && { links: [{ context: before }] }),
    ...(startedAtMs !== undefined && { startTime: startedAtMs }),
  };
  return tracer.startSpan(
    name,
    options,
    above === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, above),
  );
}

function contextOf(header: string | undefined): SpanContext | undefined {
  const found = parseTraceparent(header);
  if (found === null) return undefined;
  const { traceId, parentId: spanId, isSampled } = found;
  return { traceId, spanId, traceFlags: isSampled ? 1 : 0, isRemote: true };
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}

function note(span: Span, { attributes = {}, errorType }: SpanUpdate): void {
  span.setAttributes(attributes as Attributes);
  if (errorType === undefined) return;
  span.setAttribute('error.type', errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function openSpan(span: Span): SpanHandle {
  return {
    traceparent: traceparentOf(span),
    end({ endedAtMs, ...said }: SpanEnd = {}) {
      note(span, said);
      span.end(endedAtMs);
    },
  };
}

/** A code names a kind of failure; a message may quote what somebody wrote. */
function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
