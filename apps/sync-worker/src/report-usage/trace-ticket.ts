import type { SyncTicket, UpstreamAttempt, UsageSettled } from '@gateway/contracts';
import type { SpanAttributes, Tracing } from '@gateway/observability';

/** Operation names of OpenTelemetry's conventions for generative models. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'chat.completions': 'chat',
  messages: 'chat',
  'audio.transcriptions': 'chat',
  embeddings: 'embeddings',
  'audio.speech': 'text_to_speech',
  'images.generations': 'generate_content',
  'images.edits': 'generate_content',
};

/** The same conventions' attribute names for token counts. */
const COUNTS: Readonly<Record<string, string>> = {
  input_token: 'gen_ai.usage.input_tokens',
  output_token: 'gen_ai.usage.output_tokens',
  cached_input_token: 'gen_ai.usage.cache_read.input_tokens',
  cache_write_token: 'gen_ai.usage.cache_creation.input_tokens',
};

const countsOf = ({ units }: UsageSettled): SpanAttributes =>
  Object.fromEntries(
    Object.entries(units).flatMap(([unit, count]) => (COUNTS[unit] === undefined ? [] : [[COUNTS[unit], count]])),
  );

/**
 * Writes the spans of a settled ticket: the ticket under the edge's span, each upstream call under the ticket's.
 * Written after the settlement so that no request waits for them. They hold nothing of the request's content.
 */
export function traceTicket(tracing: Tracing, ticket: SyncTicket, event: UsageSettled): void {
  const { startedAtMs = event.settledAtMs, settledAtMs: endedAtMs, requestId, errorCode } = event;
  const operation = OPERATIONS[ticket.endpoint] ?? ticket.endpoint;
  const span = tracing.startSpan(`run ${operation}`, { role: 'consumer', parent: ticket.traceparent, startedAtMs });
  if (span === undefined) return;
  for (const attempt of event.attempts) traceAttempt(tracing, span.traceparent, ticket, operation, attempt);
  span.end({
    attributes: {
      'gateway.request_id': requestId,
      'gateway.outcome': event.outcome,
      'gateway.is_estimated': event.isEstimated,
      'gateway.queue_wait_ms': Math.max(0, startedAtMs - event.admittedAtMs),
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': ticket.model,
      ...(event.firstByteAtMs !== undefined && { 'gateway.first_byte_ms': event.firstByteAtMs - startedAtMs }),
      ...countsOf(event),
    },
    ...(errorCode !== undefined && { errorType: errorCode }),
    endedAtMs,
  });
}

function traceAttempt(
  tracing: Tracing,
  parent: string,
  { model }: SyncTicket,
  operation: string,
  { channel, status, error, upstreamId, startedAtMs, endedAtMs }: UpstreamAttempt,
): void {
  const span = tracing.startSpan(`${operation} ${model}`, { role: 'client', parent, startedAtMs });
  span?.end({
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': model,
      'gateway.channel': channel,
      ...(status !== undefined && { 'http.response.status_code': status }),
      ...(upstreamId !== undefined && { 'gen_ai.response.id': upstreamId }),
    },
    ...(error !== undefined && { errorType: error }),
    endedAtMs,
  });
}
