import type { RouteDescription } from '@gateway/api-description';
import {
  compactRequest,
  nativeCompactRequest,
  nativeResponsesRequest,
  responsesCountRequest,
  responsesRequest,
} from '@gateway/contracts';
import { z } from 'zod';
import { answer, eventStream, PAID_HEADERS, paidAnswers, RUN_ERRORS } from './parts.js';

/** A response of the protocol. */
export const responseObject = z
  .looseObject({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.number(),
    status: z.enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
    model: z.string(),
    output: z.array(z.looseObject({ type: z.string() })),
    usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }).nullish(),
    error: z.looseObject({ code: z.string(), message: z.string() }).nullish(),
  })
  .meta({ id: 'ResponseObject' });

/** One event of the protocol. */
export const responseEvent = z
  .looseObject({ type: z.string(), sequence_number: z.int() })
  .meta({ id: 'ResponseEvent' });

export const responses: RouteDescription = {
  id: 'responses.create',
  summary: 'Create a response',
  description:
    'The Responses protocol for every chat model. `previous_response_id` or `conversation` continues a stored one. `background: true` runs without its client.',
  headers: PAID_HEADERS,
  body: z.union([responsesRequest, nativeResponsesRequest]),
  answers: paidAnswers({
    'application/json': responseObject,
    'text/event-stream': eventStream(
      responseEvent,
      'Events of the protocol; the last one is `response.completed` or its like.',
    ),
  }),
  errors: [...RUN_ERRORS, 'previous_response_not_found'],
  dialects: ['responses'],
  passesErrors: true,
  examples: {
    simple: { body: { model: 'cl-sonnet-4-6', input: 'Say hello' } },
    stream: { body: { model: 'gp-5.4-pro', input: 'Say hello', stream: true } },
    unknown_model: { isWrong: true, body: { model: 'no-such-model', input: 'Say hello' } },
  },
};

export const responsesInputTokens: RouteDescription = {
  id: 'responses.countTokens',
  summary: 'Count the tokens of a prompt',
  description: 'An estimate, with the history that the prompt continues. Free.',
  body: responsesCountRequest,
  answers: {
    200: answer('The estimate', {
      'application/json': z.looseObject({ object: z.literal('response.input_tokens'), input_tokens: z.int() }),
    }),
  },
  errors: RUN_ERRORS,
  dialects: ['responses'],
  passesErrors: true,
  examples: { simple: { body: { model: 'cl-sonnet-4-6', input: 'Say hello' } } },
};

export const responsesCompact: RouteDescription = {
  id: 'responses.compact',
  summary: 'Compact a conversation',
  description: 'A conversation in, a shorter one out.',
  headers: PAID_HEADERS,
  body: z.union([compactRequest, nativeCompactRequest]),
  answers: paidAnswers({
    'application/json': z
      .looseObject({
        id: z.string(),
        object: z.literal('response.compaction'),
        output: z.array(z.looseObject({ type: z.string() })),
      })
      .meta({ id: 'Compaction' }),
  }),
  errors: [...RUN_ERRORS, 'previous_response_not_found'],
  dialects: ['responses'],
  passesErrors: true,
  examples: { simple: { body: { model: 'cl-sonnet-4-6', input: [{ role: 'user', content: 'I fold paper boats.' }] } } },
};
