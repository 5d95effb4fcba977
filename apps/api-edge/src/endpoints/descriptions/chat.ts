import type { RouteDescription } from '@gateway/api-description';
import { chatCompletionRequest, completionRequest, reasoningChatCompletionRequest } from '@gateway/contracts';
import { z } from 'zod';
import { eventStream, PAID_HEADERS, paidAnswers, RUN_ERRORS } from './parts.js';

const tokens = z
  .looseObject({
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    total_tokens: z.int(),
    completion_tokens_details: z.looseObject({ reasoning_tokens: z.int().optional() }).nullish(),
  })
  .meta({ id: 'ChatUsage' });

const chatCompletion = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.looseObject({
        index: z.int(),
        message: z.looseObject({
          role: z.literal('assistant'),
          content: z.string().nullish(),
          reasoning_content: z.string().nullish(),
          reasoning_details: z.array(z.looseObject({ type: z.string(), index: z.int() })).nullish(),
        }),
        finish_reason: z.string().nullable(),
      }),
    ),
    usage: tokens,
  })
  .meta({ id: 'ChatCompletion' });

const chatChunk = z
  .looseObject({
    id: z.string(),
    object: z.literal('chat.completion.chunk'),
    created: z.int(),
    model: z.string(),
    choices: z.array(z.looseObject({ index: z.int(), delta: z.looseObject({}), finish_reason: z.string().nullish() })),
    usage: tokens.nullish(),
  })
  .meta({ id: 'ChatCompletionChunk' });

const textCompletion = z
  .looseObject({
    id: z.string(),
    object: z.literal('text_completion'),
    created: z.int(),
    model: z.string(),
    choices: z.array(z.looseObject({ index: z.int(), text: z.string(), finish_reason: z.string().nullish() })),
    usage: tokens.nullish(),
  })
  .meta({ id: 'TextCompletion' });

const HELLO = [{ role: 'user', content: 'Say hello' }];

export const chatCompletions: RouteDescription = {
  id: 'chat.completions',
  summary: 'Complete a chat',
  description:
    'The chat-completions protocol for every chat model. Reasoning models take `max_completion_tokens` and ignore `temperature`. The older `functions` and `function_call` are served as tools. Return `reasoning_details` of an answer with its message: the model then reads again what it thought. With `stream` the answer is server-sent events that end with `data: [DONE]`.',
  headers: PAID_HEADERS,
  body: z.union([chatCompletionRequest, reasoningChatCompletionRequest]),
  answers: paidAnswers({
    'application/json': chatCompletion,
    'text/event-stream': eventStream(chatChunk, 'Chunks, then `data: [DONE]`.'),
  }),
  errors: RUN_ERRORS,
  passesErrors: true,
  examples: {
    simple: { body: { model: 'gm-3.5-flash-lite', messages: HELLO } },
    stream: { body: { model: 'cl-sonnet-4-6', messages: HELLO, stream: true } },
    reasoning: { body: { model: 'gp-5-pro', messages: HELLO, reasoning_effort: 'low', max_completion_tokens: 2000 } },
    later: { headers: { Prefer: 'respond-async' }, body: { model: 'gm-3.5-flash-lite', messages: HELLO } },
    unknown_model: { isWrong: true, body: { model: 'no-such-model', messages: HELLO } },
  },
};

export const completions: RouteDescription = {
  id: 'completions.create',
  summary: 'Complete a text',
  description: 'The older text completions, by every chat model.',
  headers: PAID_HEADERS,
  body: completionRequest,
  answers: paidAnswers({
    'application/json': textCompletion,
    'text/event-stream': eventStream(textCompletion, 'Chunks, then `data: [DONE]`.'),
  }),
  errors: RUN_ERRORS,
  passesErrors: true,
  examples: { simple: { body: { model: 'gm-3.5-flash-lite', prompt: 'Once upon a time', max_tokens: 50 } } },
};
