import type { RouteDescription } from '@gateway/api-description';
import { countTokensRequest, messagesRequest, nativeCountRequest, nativeMessagesRequest } from '@gateway/contracts';
import { z } from 'zod';
import { answer, eventStream, PAID_HEADERS, paidAnswers, RUN_ERRORS } from './parts.js';

const message = z
  .looseObject({
    id: z.string(),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string(),
    content: z.array(z.looseObject({ type: z.string() })),
    stop_reason: z.string().nullable(),
    usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }),
  })
  .meta({ id: 'Message' });

const event = z.looseObject({ type: z.string() }).meta({ id: 'MessageEvent' });

const HELLO = { model: 'cl-sonnet-4-6', messages: [{ role: 'user', content: 'Say hello' }] };
const VERSION = { 'anthropic-version': '2023-06-01' };

export const messages: RouteDescription = {
  id: 'messages.create',
  summary: 'Create a message',
  description: 'The native messages format: `cl-*` byte for byte, other models by translation.',
  headers: [...PAID_HEADERS, 'anthropic-version', 'anthropic-beta'],
  body: z.union([messagesRequest, nativeMessagesRequest]),
  answers: paidAnswers({
    'application/json': message,
    'text/event-stream': eventStream(event, 'From `message_start` to `message_stop`.'),
  }),
  errors: [...RUN_ERRORS, 'thread_unsupported'],
  dialects: ['anthropic'],
  passesErrors: true,
  examples: {
    simple: { headers: VERSION, body: { ...HELLO, max_tokens: 100 } },
    stream: { headers: VERSION, body: { ...HELLO, max_tokens: 100, stream: true } },
    missing_field: { isWrong: true, headers: VERSION, body: HELLO },
  },
};

export const countTokens: RouteDescription = {
  id: 'messages.countTokens',
  summary: 'Count the tokens of a message',
  description: 'Free.',
  headers: ['anthropic-version', 'anthropic-beta'],
  body: z.union([countTokensRequest, nativeCountRequest]),
  answers: { 200: answer('The count', { 'application/json': z.looseObject({ input_tokens: z.int() }) }) },
  errors: RUN_ERRORS,
  dialects: ['anthropic'],
  passesErrors: true,
  examples: { simple: { headers: VERSION, body: HELLO } },
};
