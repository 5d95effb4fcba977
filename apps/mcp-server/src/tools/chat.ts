import { findModel } from '@gateway/catalogue';
import { type ChatCompletion, chatCompletionRequest, ENDPOINTS } from '@gateway/contracts';
import { z } from 'zod';
import type { LaterCall, PaidTool, ToolResult } from '../tool.js';
import { LATER_OPTION_HINTS, LATER_OPTIONS } from './call-options.js';
import { type CollectedResponse, collectStream } from './collect-stream.js';
import { CompletionAssembler } from './completion-assembler.js';
import { asJsonText, asText, gatewayFacts } from './content.js';
import { runNow } from './later/run-later.js';

const ENDPOINT = 'chat.completions';
const { path } = ENDPOINTS[ENDPOINT];

const input = chatCompletionRequest
  .omit({ stream: true, stream_options: true, n: true, metadata: true, user: true, parallel_tool_calls: true })
  .extend(LATER_OPTIONS);

/** Models of the variant `reasoning` cannot stream. */
const canStream = (model: unknown): boolean =>
  typeof model !== 'string' || findModel(model)?.chat?.variant !== 'reasoning';

const later: LaterCall = {
  requestOf: (body) => ({ method: 'POST', path, json: body }),
  resultOf: async (response) => resultOf({ response: await response.json<ChatCompletion>(), facts: response.facts }),
};

export const chat: PaidTool = {
  kind: 'paid',
  name: 'chat',
  title: 'Chat',
  description:
    'Sends a conversation to a language model of any vendor and returns its reply. Accepts tools for the model to call, ' +
    'and images, audio or video where the model supports them. Use list_models for limits and prices.',
  endpoint: ENDPOINT,
  input,
  hints: {
    ...LATER_OPTION_HINTS,
    model: 'The model to use.',
    messages:
      'The conversation so far, oldest first. A plain question is one message of role user with a string as content.',
    temperature: 'Randomness; give this or top_p, not both. Reasoning models ignore it.',
    top_p: 'Randomness by probability mass.',
    max_tokens: 'Maximum length of the reply, in tokens. Reasoning models use max_completion_tokens instead.',
    max_completion_tokens: 'Maximum length of the reply, in tokens, reasoning included.',
    stop: 'Strings that end the reply.',
    presence_penalty: 'Above zero: more new topics.',
    frequency_penalty: 'Above zero: less repetition.',
    tools: 'Functions that the model may call; you run them and send their results in a message of role tool.',
    tool_choice: 'Whether the model must call a function, and which one.',
    response_format: 'Forces the reply to be JSON, optionally of a schema.',
    reasoning_effort: 'Reasoning effort of a reasoning model.',
    seed: 'The same seed tends to give the same reply.',
  },
  output: z.looseObject({
    id: z.string(),
    model: z.string(),
    choices: z.array(
      z.looseObject({
        message: z.looseObject({ role: z.string(), content: z.string().nullish() }),
        finish_reason: z.string().nullable(),
      }),
    ),
    usage: z.looseObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }),
    gateway: gatewayFacts,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },

  bodyOf({ stream: _, stream_options: __, ...body }) {
    return body;
  },

  later,

  async run(body, call) {
    if (call.progress !== undefined && canStream(body.model)) {
      const streamed = { ...body, stream: true, stream_options: { include_usage: true } };
      return resultOf(await collectStream(call, path, streamed, new CompletionAssembler()));
    }
    return runNow(later, body, call);
  },
};

function resultOf({ response, facts }: CollectedResponse<ChatCompletion>): ToolResult {
  const message = response.choices[0]?.message;
  const text = message?.content ?? message?.refusal ?? '';
  const toolCalls = message?.tool_calls;
  return {
    structured: { ...response, gateway: facts },
    content: [
      ...(text === '' && toolCalls !== undefined ? [] : [asText(text)]),
      ...(toolCalls === undefined ? [] : [asJsonText({ tool_calls: toolCalls })]),
    ],
  };
}
