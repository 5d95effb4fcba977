import { findModel } from '@gateway/catalogue';
import { type ChatCompletion, chatCompletionRequest, ENDPOINTS } from '@gateway/contracts';
import { z } from 'zod';
import { OWN_ARGUMENTS, OWN_HINTS } from '../own-arguments.js';
import type { JsonObject, PaidTool, ToolAnswer } from '../tool.js';
import { CompletionAssembly } from './assemble-completion.js';
import { asJsonText, asText, gatewayFacts } from './content.js';
import { followStream, type Streamed } from './follow-stream.js';

const ENDPOINT = 'chat.completions';
const { path } = ENDPOINTS[ENDPOINT];

const input = chatCompletionRequest
  .omit({ stream: true, stream_options: true, n: true, metadata: true, user: true, parallel_tool_calls: true })
  .extend(OWN_ARGUMENTS);

/** The tool call's progress is the stream; models that only answer at once have none. */
const doesStream = (model: unknown): boolean =>
  typeof model !== 'string' || findModel(model)?.chat?.variant !== 'reasoning';

export const chat: PaidTool = {
  kind: 'paid',
  name: 'chat',
  title: 'Chat',
  description:
    'Asks a language model, of any vendor, and gives back its reply. Takes a whole conversation, tools that it may call, ' +
    'and images, audio or video to look at, where the model can. Use list_models for limits and prices.',
  endpoint: ENDPOINT,
  input,
  hints: {
    ...OWN_HINTS,
    model: 'Which model answers.',
    messages:
      'The conversation so far, oldest first. A plain question is one message of role user with a text as content.',
    temperature: 'Randomness; give this or top_p, not both. Reasoning models ignore it.',
    top_p: 'Randomness by probability mass.',
    max_tokens: 'The longest reply, in tokens. Reasoning models take max_completion_tokens instead.',
    max_completion_tokens: 'The longest reply, in tokens, thinking included.',
    stop: 'Texts at which the reply ends.',
    presence_penalty: 'Above zero: more new topics.',
    frequency_penalty: 'Above zero: less repetition.',
    tools: 'Functions that the model may ask for; you run them and send their results in a message of role tool.',
    tool_choice: 'Whether, and which, function it must ask for.',
    response_format: 'Forces the reply to be JSON, or JSON of a schema.',
    reasoning_effort: 'How long a reasoning model thinks.',
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

  async run(body, call) {
    if (call.progress !== undefined && doesStream(body.model)) {
      const streamed = { ...body, stream: true, stream_options: { include_usage: true } };
      return answerOf(await followStream(call, path, streamed, new CompletionAssembly()));
    }
    const answer = await call.gateway.ask({ method: 'POST', path, json: body });
    return answerOf({ answer: await answer.json<ChatCompletion>(), facts: answer.facts });
  },
};

function answerOf({ answer, facts }: Streamed<ChatCompletion>): ToolAnswer {
  const message = answer.choices[0]?.message;
  const text = message?.content ?? message?.refusal ?? '';
  const toolCalls = message?.tool_calls;
  return {
    structured: { ...(answer as unknown as JsonObject), gateway: facts },
    content: [
      ...(text === '' && toolCalls !== undefined ? [] : [asText(text)]),
      ...(toolCalls === undefined ? [] : [asJsonText({ tool_calls: toolCalls })]),
    ],
  };
}
