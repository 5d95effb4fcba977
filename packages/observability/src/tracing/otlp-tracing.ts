import { type Attributes, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { parseTraceparent } from '../traceparent.js';
import type { OpenSpan, SpanEnd, SpanStart, Tracing, TracingSettings } from './tracing.js';

const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT } as const;

/** Spans over OTLP, in batches, on the side: a collector that is away costs spans and nothing else. */
export function otlpTracing({ service, endpoint, sampleRatio }: Required<TracingSettings>): Tracing {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `gateway-${service}`, 'service.namespace': 'gateway' }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) })],
  });
  const tracer = provider.getTracer('gateway');
  return {
    begin(name, { role, parent, startedAtMs, attributes = {} }: SpanStart) {
      const options = {
        kind: KINDS[role],
        attributes: attributes as Attributes,
        ...(startedAtMs !== undefined && { startTime: startedAtMs }),
      };
      return openSpan(tracer.startSpan(name, options, contextOf(parent)));
    },
    close: () => provider.shutdown(),
  };
}

function contextOf(parent: string | undefined) {
  const caller = parseTraceparent(parent);
  if (caller === null) return ROOT_CONTEXT;
  const { traceId, parentId: spanId, isSampled } = caller;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: isSampled ? 1 : 0, isRemote: true });
}

function openSpan(span: Span): OpenSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
    end({ attributes = {}, errorType, endedAtMs }: SpanEnd = {}) {
      span.setAttributes(attributes as Attributes);
      if (errorType !== undefined) {
        span.setAttribute('error.type', errorType);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end(endedAtMs);
    },
  };
}
