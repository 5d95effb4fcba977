import type { Answer, RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { eventStream, requestRecord } from './parts.js';

const anyBody: Answer = {
  description: 'The very response, with its own status and content type. A refused request has its own 4xx',
  content: {
    'application/json': z.unknown(),
    'text/event-stream': z.string(),
    'audio/mpeg': z.string(),
    'audio/wav': z.string(),
    'text/plain': z.string(),
  },
  headers: [
    'idempotent-replayed',
    'idempotent-request-id',
    'x-cost-usd',
    'x-balance-usd',
    'location',
    'deprecation',
    'sunset',
    'link',
  ],
};

export const REQUESTS = {
  get: {
    id: 'requests.get',
    summary: 'Read a request that is taken later',
    answers: { 200: requestRecord },
    examples: { one: { path: { id: '{laterId}' } } },
  },
  remove: {
    id: 'requests.delete',
    summary: 'Delete a request that has ended',
    description: 'With its body, its response and the files that it made. Its receipt stays. 409 while it runs.',
    answers: { 200: z.object({ id: z.string(), object: z.literal('request'), deleted: z.literal(true) }) },
    errors: ['request_in_progress'],
    examples: { one: { path: { id: '{laterId}' } } },
  },
  result: {
    id: 'requests.result',
    summary: 'Take the response of a request',
    description:
      'Also that of a request whose client left before it was complete, or that had an idempotency key. Free.',
    answers: { 200: anyBody, 202: anyBody },
    errors: ['request_in_progress', 'upstream_error', 'upstream_unavailable', 'upstream_timeout', 'worker_lost'],
    dialects: ['a', 'b', 'anthropic', 'google', 'responses', 'brief'],
    passesErrors: true,
    examples: { one: { path: { id: '{laterId}' } } },
  },
  stream: {
    id: 'requests.stream',
    summary: 'Attach to the stream of a request',
    description: '`after`, or `Last-Event-ID`, is the number of bytes that the client has.',
    query: z.object({
      after: z.int().min(0).optional().meta({ description: 'The number of bytes that the client has.' }),
    }),
    headers: ['Last-Event-ID'],
    answers: { 200: anyBody },
    errors: ['request_in_progress', 'upstream_error', 'upstream_unavailable', 'upstream_timeout', 'worker_lost'],
    dialects: ['a', 'b', 'anthropic', 'google', 'responses', 'brief'],
    passesErrors: true,
    examples: { whole: { path: { id: '{streamId}' } } },
  },
  cancel: {
    id: 'requests.cancel',
    summary: 'Cancel a request',
    description: 'A response that the vendor has begun and bills may still complete.',
    answers: { 200: requestRecord },
    examples: { ended: { path: { id: '{laterId}' } } },
  },
  events: {
    id: 'requests.events',
    summary: 'Follow a request',
    description: 'Its states as server-sent events. 204 once the client has seen the last one.',
    headers: ['Last-Event-ID'],
    answers: {
      200: {
        description: 'Events',
        content: { 'text/event-stream': eventStream(requestRecord, 'The request at each change.') },
      },
      204: { description: 'The client has seen the last event' },
    },
    examples: { ended: { path: { id: '{laterId}' } } },
  },
} as const satisfies Record<string, RouteDescription>;
