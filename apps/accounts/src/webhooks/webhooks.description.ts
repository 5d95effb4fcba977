import type { RouteDescription } from '@gateway/api-description';
import { ACCOUNT_EVENT_TYPES, type AccountEventType } from '@gateway/contracts';
import { DELIVERY_STATES, ENDPOINT_STATES } from '@gateway/postgres';
import { z } from 'zod';
import { deleted, jsonOrCsv, jsonOrEvents, pageOf, time, timeOrNull } from '../http/answers.js';
import { eventRecord } from '../http/event-view.js';
import { page, pageOrFile, text } from '../http/fields.js';
import { endpointChange, newEndpoint, secretRotation } from './endpoint-settings.js';
import { replayRequest } from './parse-replay.js';

const TYPES = Object.keys(ACCOUNT_EVENT_TYPES) as [AccountEventType, ...AccountEventType[]];

export const deliveryListing = z.strictObject({
  ...pageOrFile,
  endpoint_id: text(64).optional(),
  event_id: text(64).optional(),
  state: z.enum(DELIVERY_STATES, `must be one of ${DELIVERY_STATES.join(', ')}`).optional(),
});

export const ownedEndpointListing = z.strictObject({
  ...page,
  state: z.enum(ENDPOINT_STATES, `must be one of ${ENDPOINT_STATES.join(', ')}`).optional(),
  account_id: text(64).optional(),
});

export const eventListing = z.strictObject({
  limit: page.limit,
  after: text(64).optional(),
  subject: text(128).optional(),
  type: z.enum(TYPES, `must be one of ${TYPES.join(', ')}`).optional(),
});

export const endpointRecord = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()).readonly().nullable().meta({ description: 'Null: the default events.' }),
    description: z.string(),
    test: z.boolean(),
    enabled: z.boolean(),
    disabled_at: timeOrNull,
    disabled_reason: z.string().nullable().meta({ description: '`by_you`, `gone` or `only_failures`.' }),
    consecutive_failures: z.int(),
    failing_since: timeOrNull,
    last_success_at: timeOrNull,
    created_at: time,
  })
  .meta({ id: 'WebhookEndpoint' });

const ownedEndpointRecord = z
  .object({
    ...endpointRecord.shape,
    account_id: z.string(),
    account_email: z.string(),
    pending: z.int().meta({ description: 'Deliveries that wait.' }),
  })
  .meta({ id: 'OwnedWebhookEndpoint' });

const attemptRecord = z.object({
  number: z.int(),
  started_at: time,
  duration_ms: z.number().nullable(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  response_body: z.string().nullable(),
});

export const deliveryRecord = z
  .object({
    id: z.string(),
    event: z.object({ id: z.string(), type: z.string(), subject: z.string() }),
    endpoint_id: z.string().nullable(),
    url: z.string(),
    state: z.string(),
    attempts: z.int(),
    next_attempt_at: timeOrNull,
    last_status: z.int().nullable(),
    last_error: z.string().nullable(),
    created_at: time,
    finished_at: timeOrNull,
    attempt_log: z.array(attemptRecord).readonly(),
  })
  .meta({ id: 'WebhookDelivery' });

const deliveryWithBody = deliveryRecord
  .extend({ body: z.string().meta({ description: 'As it is signed and sent.' }) })
  .meta({ id: 'WebhookDeliveryWithBody' });

export const secretRecord = z.object({
  id: z.string(),
  created_at: time,
  expires_at: timeOrNull.meta({ description: 'Null: this is the current secret.' }),
});

const replayed = z.object({ replayed: z.int(), brought_forward: z.int(), has_more: z.boolean() });
const ofEndpoint = { path: { id: '{endpointId}' } };

export const WEBHOOKS = {
  create: {
    id: 'webhooks.create',
    summary: 'Register a webhook endpoint',
    description: 'The answer for the first endpoint of an account has the signing secret. No later answer shows it.',
    body: newEndpoint,
    answers: { 201: z.object({ ...endpointRecord.shape, secret: z.string().optional() }) },
    examples: { events: { body: { url: '{webhookUrl}', events: ['video.task.succeeded', 'balance.low'] } } },
  },
  list: {
    id: 'webhooks.list',
    summary: 'List the webhook endpoints',
    answers: { 200: pageOf(endpointRecord) },
    examples: { all: {} },
  },
  show: {
    id: 'webhooks.get',
    summary: 'Read a webhook endpoint',
    answers: { 200: endpointRecord },
    examples: { one: ofEndpoint },
  },
  change: {
    id: 'webhooks.change',
    summary: 'Change a webhook endpoint, or enable it again',
    body: endpointChange,
    answers: { 200: endpointRecord },
    examples: { all_events: { ...ofEndpoint, body: { events: ['*'], description: 'everything' } } },
  },
  remove: {
    id: 'webhooks.delete',
    summary: 'Delete a webhook endpoint',
    answers: { 200: deleted },
    examples: { one: { path: { id: '{endpointId}' } } },
  },
  test: {
    id: 'webhooks.test',
    summary: 'Send a test event to an endpoint',
    answers: { 202: z.object({ delivery_id: z.string(), event_id: z.string() }) },
    errors: ['rate_limit_exceeded'],
    examples: { send: ofEndpoint },
  },
  deliveries: {
    id: 'webhooks.deliveries',
    summary: 'List the deliveries of events',
    description: 'The newest first. `format=csv` without `limit` is the whole list.',
    query: deliveryListing,
    answers: { 200: jsonOrCsv(pageOf(deliveryRecord)) },
    examples: { newest: { query: { limit: '1' } } },
  },
  delivery: {
    id: 'webhooks.delivery',
    summary: 'Read a delivery',
    description: 'With the body that it sends.',
    answers: { 200: deliveryWithBody },
    examples: { one: { path: { id: '{deliveryId}' } } },
  },
  replayAll: {
    id: 'webhooks.replayMany',
    summary: 'Replay the deliveries of a period',
    description: 'The same request twice sends each of them once.',
    body: replayRequest,
    answers: { 202: replayed },
    errors: ['rate_limit_exceeded'],
    examples: { failed: { body: { from: '2026-11-21T10:00:00Z', states: ['failed'] } } },
  },
  replay: {
    id: 'webhooks.replay',
    summary: 'Replay a delivery',
    description: 'The event keeps its id, so that the receiver can detect a duplicate.',
    answers: { 202: deliveryWithBody },
    errors: ['rate_limit_exceeded'],
    examples: { one: { path: { id: '{deliveryId}' } } },
  },
  listAll: {
    id: 'webhooks.listAll',
    summary: 'List the endpoints of all accounts',
    description:
      '`failing`: its last attempts failed. `disabled`: by its owner, or by the gateway after days of failures.',
    query: ownedEndpointListing,
    answers: { 200: jsonOrEvents('FollowedEndpoints', pageOf(ownedEndpointRecord)) },
    examples: { failing: { query: { state: 'failing' } } },
  },
  replayOfAccount: {
    id: 'accounts.replayWebhooks',
    summary: 'Replay the deliveries of an account',
    body: replayRequest,
    answers: { 202: replayed },
    examples: { failed: { path: { id: '{accountId}' }, body: { from: '2026-11-21T10:00:00Z', states: ['failed'] } } },
  },
  secrets: {
    id: 'webhooks.secrets',
    summary: 'List the signing secrets',
    description: 'Ids and times only.',
    answers: { 200: pageOf(secretRecord) },
    examples: { all: {} },
  },
  rotateSecret: {
    id: 'webhooks.rotateSecret',
    summary: 'Replace the signing secret',
    description: 'For `grace_seconds` both secrets sign each delivery.',
    body: secretRotation,
    answers: { 201: z.object({ secret: z.string(), created_at: time, previous_expires_at: timeOrNull }) },
    examples: { graceful: { body: { grace_seconds: 3600 } } },
  },
  events: {
    id: 'events.list',
    summary: 'List the events of the account',
    description: 'The oldest first. `after` is the id of the last event that the client knows.',
    query: eventListing,
    answers: { 200: pageOf(eventRecord) },
    examples: { first: { query: { limit: '1' } } },
  },
} satisfies Record<string, RouteDescription>;
