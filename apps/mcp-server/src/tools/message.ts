import { ENDPOINTS, messagesRequest } from '@gateway/contracts';
import { z } from 'zod';
import type { JsonObject, LaterCall, PaidTool, ToolResult } from '../tool.js';
import { LATER_OPTION_HINTS, LATER_OPTIONS } from './call-options.js';
import { type CollectedResponse, collectStream } from './collect-stream.js';
import { asJsonText, asText, gatewayFacts } from './content.js';
import { runNow } from './later/run-later.js';
import { type AssembledMessage, MessageAssembler } from './message-assembler.js';

const ENDPOINT = 'messages';
const { path } = ENDPOINTS[ENDPOINT];

const later: LaterCall = {
  requestOf: (body) => ({ method: 'POST', path, json: body }),
  resultOf: async (response) => resultOf({ response: await response.json<AssembledMessage>(), facts: response.facts }),
};

export const message: PaidTool = {
  kind: 'paid',
  name: 'message',
  title: 'Message (native format)',
  description:
    'Sends a conversation in the native messages format: system prompts, content blocks, cached prompts, extended ' +
    'thinking and tool_use blocks as its vendor defines them. Use chat unless you need one of these.',
  endpoint: ENDPOINT,
  input: messagesRequest.omit({ stream: true, metadata: true, output_format: true }).extend(LATER_OPTIONS),
  hints: {
    ...LATER_OPTION_HINTS,
    model: 'The model to use.',
    system: 'Instructions before the conversation.',
    messages: 'The conversation so far, oldest first; roles user and assistant.',
    max_tokens: 'Maximum length of the reply, in tokens. Required.',
    tools: 'Functions that the model may call, each with an input_schema.',
    tool_choice: 'Whether the model must call a function, and which one.',
    thinking: 'Lets the model think before it replies.',
    output_config: 'Effort of the model, and format of its reply.',
    temperature: 'Randomness, 0 to 1.',
    top_p: 'Randomness by probability mass.',
    stop_sequences: 'Strings that end the reply.',
  },
  output: z.looseObject({
    id: z.string(),
    model: z.string(),
    content: z.array(z.looseObject({ type: z.string() })),
    stop_reason: z.string().nullable(),
    usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }),
    gateway: gatewayFacts,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },

  bodyOf({ stream: _, ...body }) {
    return body;
  },

  later,

  async run(body, call) {
    if (call.progress !== undefined) {
      return resultOf(await collectStream(call, path, { ...body, stream: true }, new MessageAssembler()));
    }
    return runNow(later, body, call);
  },
};

function resultOf({ response, facts }: CollectedResponse<AssembledMessage>): ToolResult {
  const text = response.content.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('');
  const toolUses = response.content.filter(({ type }: JsonObject) => type === 'tool_use');
  return {
    structured: { ...response, gateway: facts },
    content: [
      ...(text === '' && toolUses.length > 0 ? [] : [asText(text)]),
      ...(toolUses.length === 0 ? [] : [asJsonText({ tool_uses: toolUses })]),
    ],
  };
}
