import { ENDPOINTS, messagesRequest } from '@gateway/contracts';
import { z } from 'zod';
import { OWN_ARGUMENTS, OWN_HINTS } from '../own-arguments.js';
import type { JsonObject, PaidTool, ToolAnswer } from '../tool.js';
import { MessageAssembly, type WholeMessage } from './assemble-message.js';
import { asJsonText, asText, gatewayFacts } from './content.js';
import { followStream, type Streamed } from './follow-stream.js';

const ENDPOINT = 'messages';
const { path } = ENDPOINTS[ENDPOINT];

export const message: PaidTool = {
  kind: 'paid',
  name: 'message',
  title: 'Message (native format)',
  description:
    'Asks a language model in the native messages format: system prompts, content blocks, cached prompts, extended ' +
    'thinking and tool_use blocks as its vendor defines them. Use chat unless you need one of these.',
  endpoint: ENDPOINT,
  input: messagesRequest.omit({ stream: true, metadata: true }).extend(OWN_ARGUMENTS),
  hints: {
    ...OWN_HINTS,
    model: 'Which model answers.',
    system: 'Instructions that come before the conversation.',
    messages: 'The conversation so far, oldest first; roles user and assistant.',
    max_tokens: 'The longest reply, in tokens. Required.',
    tools: 'Functions that the model may ask for, each with an input_schema.',
    tool_choice: 'Whether, and which, function it must ask for.',
    thinking: 'Lets the model think before it answers.',
    output_config: 'The effort that the model makes, and the form of its answer.',
    temperature: 'Randomness, 0 to 1.',
    top_p: 'Randomness by probability mass.',
    stop_sequences: 'Texts at which the reply ends.',
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

  async run(body, call) {
    if (call.progress !== undefined) {
      return answerOf(await followStream(call, path, { ...body, stream: true }, new MessageAssembly()));
    }
    const answer = await call.gateway.ask({ method: 'POST', path, json: body });
    return answerOf({ answer: await answer.json<WholeMessage>(), facts: answer.facts });
  },
};

function answerOf({ answer, facts }: Streamed<WholeMessage>): ToolAnswer {
  const text = answer.content.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('');
  const toolUses = answer.content.filter(({ type }: JsonObject) => type === 'tool_use');
  return {
    structured: { ...answer, gateway: facts },
    content: [
      ...(text === '' && toolUses.length > 0 ? [] : [asText(text)]),
      ...(toolUses.length === 0 ? [] : [asJsonText({ tool_uses: toolUses })]),
    ],
  };
}
