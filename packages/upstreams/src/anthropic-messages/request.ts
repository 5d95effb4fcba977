import { createHash } from 'node:crypto';
import type { ChatCompletionRequest } from '@gateway/contracts';
import { checkInputs } from '../client-request/check-inputs.js';
import { chooseEffort } from '../client-request/choose-effort.js';
import { chatChanges } from '../client-request/report-changes.js';
import { outputCapOf, stopsOf, temperatureOf, topPOf } from '../client-request/sampling.js';
import type { ChatCall, Target, WireRequest } from '../protocol.js';
import { inputMessages, systemBlocks } from './messages.js';
import { thinkingOf } from './thinking.js';
import { toolChoiceOf, toolsOf, unforced } from './tools.js';
import { API_VERSION, type MessagesBody, type TextBlock } from './wire.js';

/** The API has no `json_object` mode. */
const JSON_INSTRUCTION: TextBlock = {
  type: 'text',
  text: 'Answer with one valid JSON object only: no other text and no code fence.',
};

/**
 * Translates a chat request. Drops `seed`, penalties, `logit_bias` and `verbosity`, which this API does not have.
 * Throws a GatewayError (400) for unsupported parts, efforts and conversations.
 */
export function buildRequest(call: ChatCall, target: Target): WireRequest {
  checkInputs(call.request, call.traits);
  const body = messagesBody(call, target.upstreamModel);
  const { temperature, top_p, tool_choice: sentChoice } = body;
  const choice = unforced(toolChoiceOf(call.request), call.traits) === undefined ? undefined : sentChoice?.type;
  return {
    method: 'POST',
    url: `${target.baseUrl}/v1/messages`,
    headers: {
      'x-api-key': target.credential,
      'anthropic-version': API_VERSION,
      'content-type': 'application/json',
      accept: call.request.stream === true ? 'text/event-stream' : 'application/json',
    },
    body: JSON.stringify(body),
    changes: chatChanges(call.request, {
      temperature,
      top_p,
      ...(choice !== undefined && { tool_choice: choice }),
    }),
  };
}

function messagesBody(call: ChatCall, model: string): MessagesBody {
  const { request, traits } = call;
  const maxTokens = outputCapOf(request, traits) ?? traits.maxOutputTokens;
  const messages = inputMessages(request);
  const tools = toolsOf(request);
  const asked = toolChoiceOf(request);
  const free = unforced(asked, traits);
  const toolChoice = free?.toolChoice ?? asked;
  const system = [...systemOf(request), ...(free === undefined ? [] : [free.instruction])];
  const thinking = thinkingOf(chooseEffort(request, traits), traits, { maxTokens, messages, toolChoice });
  const format = formatOf(request);
  const stops = stopsOf(request).filter((stop) => stop.trim() !== '');
  return {
    model,
    max_tokens: maxTokens,
    ...(system.length > 0 && { system }),
    messages,
    ...(tools.length > 0 && { tools }),
    ...(toolChoice !== undefined && { tool_choice: toolChoice }),
    ...thinking,
    ...(format !== undefined && { output_config: { ...thinking.output_config, format } }),
    ...(stops.length > 0 && { stop_sequences: stops }),
    ...(thinking.thinking === undefined && samplingOf(call)),
    ...(request.user && { metadata: { user_id: hashedUser(request.user) } }),
    ...(request.stream === true && { stream: true }),
  };
}

function systemOf(request: ChatCompletionRequest): readonly TextBlock[] {
  const blocks = systemBlocks(request);
  return request.response_format?.type === 'json_object' ? [...blocks, JSON_INSTRUCTION] : blocks;
}

function formatOf({
  response_format: format,
}: ChatCompletionRequest): { type: 'json_schema'; schema: object } | undefined {
  return format?.type === 'json_schema'
    ? { type: 'json_schema', schema: format.json_schema.schema ?? { type: 'object' } }
    : undefined;
}

/** `temperature` or `top_p`: the upstream rejects both together, and either one with thinking. */
function samplingOf({ request, traits }: ChatCall): Pick<MessagesBody, 'temperature' | 'top_p'> {
  const temperature = temperatureOf(request, traits);
  if (temperature !== undefined) return { temperature };
  const topP = topPOf(request, traits);
  return topP === undefined ? {} : { top_p: topP };
}

/** The upstream rejects user ids that look like personal data. A hash still separates users. */
const hashedUser = (user: string): string => createHash('sha256').update(user).digest('hex');
