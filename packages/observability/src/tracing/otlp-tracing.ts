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
import { LinkedSampler } from './linked-sampler.js';
import { parseTraceparent } from './traceparent.js';
import type { SpanEnd, SpanHandle, SpanOptions, SpanUpdate, Tracing, TracingSettings } from './tracing.js';

const KINDS = {
  server: SpanKind.SERVER,
  consumer: SpanKind.CONSUMER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

/** Exports spans over OTLP in batches. Without a reachable collector, spans are lost and nothing is delayed. */
export function otlpTracing({ service, endpoint, sampleRatio }: Required<TracingSettings>): Tracing {
  const resource = resourceFromAttributes({ 'service.name': `gateway-${service}`, 'service.namespace': 'gateway' });
  const provider = new TracerProvider({
    // OTEL_RESOURCE_ATTRIBUTES adds to our attributes and overrides them.
    resource: resource.merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new LinkedSampler(new TraceIdRatioBasedSampler(sampleRatio)) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) })],
  });
  const tracer = provider.getTracer('gateway');
  const activeSpan = new AsyncLocalStorage<string>();
  const open = (name: string, start: SpanOptions): Span => startSpan(tracer, name, start, activeSpan.getStore());
  return {
    startSpan: (name, start) => openSpan(open(name, start)),
    async withSpan(name, start, work) {
      const span = open(name, start);
      const traceparent = traceparentOf(span);
      try {
        return await activeSpan.run(traceparent, () =>
          work({ traceparent, update: (changes) => applyUpdate(span, changes) }),
        );
      } catch (error) {
        applyUpdate(span, { errorType: errorTypeOf(error) });
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
  active: string | undefined,
): Span {
  const parentContext = contextOf(parent ?? active);
  const linked = contextOf(link ?? undefined);
  const options = {
    kind: KINDS[role],
    attributes: attributes as Attributes,
    // Spans of one trace need no link.
    ...(linked !== undefined && linked.traceId !== parentContext?.traceId && { links: [{ context: linked }] }),
    ...(startedAtMs !== undefined && { startTime: startedAtMs }),
  };
  return tracer.startSpan(
    name,
    options,
    parentContext === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parentContext),
  );
}

function contextOf(header: string | undefined): SpanContext | undefined {
  const parsed = parseTraceparent(header);
  if (parsed === null) return undefined;
  const { traceId, parentId: spanId, isSampled } = parsed;
  return { traceId, spanId, traceFlags: isSampled ? 1 : 0, isRemote: true };
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}

function applyUpdate(span: Span, { attributes = {}, errorType }: SpanUpdate): void {
  span.setAttributes(attributes as Attributes);
  if (errorType === undefined) return;
  span.setAttribute('error.type', errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function openSpan(span: Span): SpanHandle {
  return {
    traceparent: traceparentOf(span),
    end({ endedAtMs, ...changes }: SpanEnd = {}) {
      applyUpdate(span, changes);
      span.end(endedAtMs);
    },
  };
}

/** The error's code or class. Never its message, which may quote a customer. */
function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
