import type {
  WebhookAttemptRecord,
  WebhookDeliveryRecord,
  WebhookEndpointRecord,
  WebhookSecretRecord,
} from '@gateway/postgres';
import type { z } from 'zod';
import type { deliveryRecord, endpointRecord, secretRecord } from './webhooks.description.js';

const orNull = (time: Date | null) => time?.toISOString() ?? null;

export const endpointView = (endpoint: WebhookEndpointRecord): z.output<typeof endpointRecord> => ({
  id: endpoint.id,
  url: endpoint.url,
  events: endpoint.eventTypes.length === 0 ? null : endpoint.eventTypes,
  description: endpoint.description,
  test: endpoint.isTest,
  enabled: endpoint.disabledAt === null,
  disabled_at: orNull(endpoint.disabledAt),
  /** `by_you`, `gone` (its response was 410) or `only_failures`. */
  disabled_reason: endpoint.disabledReason,
  consecutive_failures: endpoint.consecutiveFailures,
  failing_since: orNull(endpoint.failingSince),
  last_success_at: orNull(endpoint.lastSuccessAt),
  created_at: endpoint.createdAt.toISOString(),
});

const attemptView = (attempt: WebhookAttemptRecord) => ({
  number: attempt.number,
  started_at: attempt.startedAt.toISOString(),
  duration_ms: attempt.durationMs,
  status: attempt.status,
  error: attempt.error,
  response_body: attempt.responseBody,
});

export const deliveryView = (delivery: WebhookDeliveryRecord): z.output<typeof deliveryRecord> => ({
  id: delivery.id,
  event: { id: delivery.event.publicId, type: delivery.event.type, subject: delivery.event.subject },
  /** Null: the request of a task named the address. */
  endpoint_id: delivery.endpointId,
  url: delivery.url,
  state: delivery.state,
  attempts: delivery.attempts,
  next_attempt_at: orNull(delivery.nextAttemptAt),
  last_status: delivery.lastStatus,
  last_error: delivery.lastError,
  created_at: delivery.createdAt.toISOString(),
  finished_at: orNull(delivery.finishedAt),
  attempt_log: delivery.attemptLog.map(attemptView),
});

export const secretView = (secret: WebhookSecretRecord): z.output<typeof secretRecord> => ({
  id: secret.id,
  created_at: secret.createdAt.toISOString(),
  /** Null: this is the current secret. */
  expires_at: orNull(secret.expiresAt),
});
