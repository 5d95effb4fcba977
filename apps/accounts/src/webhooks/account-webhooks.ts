import { ACCOUNT_EVENT_TYPES } from '@gateway/contracts';
import { z } from 'zod';
import { time } from '../http/answers.js';

const HEADERS = {
  'webhook-id': 'The id of the event: the same in every delivery. Ignore one that you have seen.',
  'webhook-timestamp': 'Unix seconds of the attempt. Refuse one older than five minutes.',
  'webhook-signature': '`v1,<base64>`: HMAC-SHA256 of `<id>.<timestamp>.<body>`; several, separated by spaces.',
};

const parameters = Object.entries(HEADERS).map(([name, description]) => ({
  in: 'header' as const,
  name,
  description,
  required: true,
  schema: { type: 'string' },
}));

const bodyOf = (type: string) =>
  z.object({
    id: z.string().meta({ description: 'The id of the event, as in `webhook-id`.' }),
    object: z.literal('event'),
    created_at: z.int().meta({ description: 'When it happened: Unix seconds.' }),
    type: z.literal(type),
    timestamp: time,
    data: z.looseObject({}).meta({ description: 'What the event is about, as its own route shows it.' }),
  });

/** The requests that the gateway sends to webhook endpoints, by the type of the event (Standard Webhooks). */
export const accountWebhooks = Object.fromEntries(
  Object.entries(ACCOUNT_EVENT_TYPES).map(([type, { isSentByDefault }]) => [
    type,
    {
      post: {
        operationId: `webhook.${type}`,
        tags: ['webhooks'],
        summary: type,
        description: isSentByDefault ? 'Sent by default.' : 'Sent to endpoints that name it.',
        security: [],
        parameters,
        requestBody: { content: { 'application/json': { schema: bodyOf(type) } } },
        responses: {
          '2XX': { description: 'Delivered' },
          '410': { description: 'Disables the endpoint' },
          default: { description: 'Retried for about 31 hours' },
        },
      },
    },
  ]),
);
