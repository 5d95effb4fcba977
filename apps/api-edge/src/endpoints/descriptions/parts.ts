import type { Answer, Content, EventStream, RouteDescription } from '@gateway/api-description';
import type { ErrorCode } from '@gateway/contracts';
import { z } from 'zod';

/** Headers of every answer that ran a model. */
const RUN_HEADERS = [
  'x-cost-usd',
  'x-balance-usd',
  'x-gateway-filled',
  'x-gateway-dropped',
  'x-gateway-test',
  'x-ratelimit-limit-requests',
  'x-ratelimit-remaining-requests',
  'x-ratelimit-reset-requests',
  'idempotent-replayed',
  'idempotent-request-id',
  'preference-applied',
  'location',
  'deprecation',
  'sunset',
  'link',
] as const;

export const PAID_HEADERS = ['Idempotency-Key', 'Prefer', 'x-webhook-url', 'x-include-cost'] as const;

/** Errors of a request that runs a model. */
export const RUN_ERRORS: readonly ErrorCode[] = [
  'unsupported_parameter',
  'unknown_parameter',
  'unsupported_value',
  'context_length_exceeded',
  'model_not_found',
  'endpoint_model_mismatch',
  'insufficient_balance',
  'insufficient_quota',
  'permission_denied',
  'idempotency_conflict',
  'idempotency_in_progress',
  'idempotency_answer_lost',
  'request_in_progress',
  'request_too_large',
  'headers_too_large',
  'upstream_error',
  'worker_lost',
  'upstream_unavailable',
  'response_not_stored',
  'upstream_timeout',
  'store_full',
  'storage_limit_exceeded',
];

/** A request that is taken later, as `GET /v1/requests/{id}` shows it. */
export const requestRecord = z
  .object({
    id: z.string(),
    object: z.literal('request'),
    status: z.enum(['queued', 'in_progress', 'completed', 'failed', 'cancelled']),
    endpoint: z.string(),
    model: z.string(),
    created_at: z.int(),
    started_at: z.int().nullable(),
    finished_at: z.int().nullable(),
    expires_at: z.int().meta({ description: 'When body and response are deleted, at the earliest. Unix seconds.' }),
    cancel_requested: z.boolean(),
    cost: z.object({ held_usd: z.string(), charged_usd: z.string().nullable() }),
    response: z.object({ status: z.int(), content_type: z.string(), bytes: z.int() }).nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    status_url: z.string(),
    events_url: z.string(),
    result_url: z.string(),
    stream_url: z.string(),
    cancel_url: z.string(),
  })
  .meta({ id: 'KeptRequest' });

/** Server-sent events. */
export const eventStream = (events: z.ZodType, description: string): EventStream => ({ events, description });

export const answer = (description: string, content: Content): Answer => ({
  description,
  content,
  headers: RUN_HEADERS,
});

/** The answer of a paid endpoint: at once, or later where the client prefers that. */
export const paidAnswers = (content: Content): RouteDescription['answers'] => ({
  200: answer('The response. One that was taken later, or replayed, is the same', content),
  202: {
    description: 'Accepted, with `Prefer: respond-async`: the response is kept',
    content: { 'application/json': requestRecord },
    headers: ['location', 'x-held-usd', 'preference-applied', 'idempotent-replayed', 'idempotent-request-id'],
  },
});
