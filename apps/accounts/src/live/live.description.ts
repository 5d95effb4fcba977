import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { usdText } from '../http/answers.js';
import { eventRecord } from '../http/event-view.js';
import { requestRecord } from '../http/request-line.js';

const balance = z.object({ balance_usd: usdText, held_usd: usdText, available_usd: usdText });

export const ACCOUNT_STREAM = {
  id: 'events.stream',
  summary: 'Follow the account',
  description:
    'Server-sent events: `request` for each request that has a receipt, `balance`, and every account event by its type. Each comes at least once after `Last-Event-ID`. `resync`: more was missed, so read the lists again.',
  headers: ['Last-Event-ID'],
  answers: {
    200: {
      description: 'Events',
      content: {
        'text/event-stream': {
          events: z.union([requestRecord, eventRecord, balance, z.object({})]).meta({ id: 'AccountNews' }),
          description: 'News of the account, without an end.',
        },
      },
    },
  },
  errors: ['rate_limit_exceeded'],
  examples: { follow: { isEndless: true } },
} satisfies RouteDescription;
