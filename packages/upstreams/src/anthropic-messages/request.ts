import { createHash } from 'node:crypto';
import {
  type AnswerFormat,
  type Changes,
  mergeChanges,
  type NeutralRequest,
  type SettingName,
} from '@gateway/contracts';
import { effortOf } from '../client-request/choose-effort.js';
import { CLOSED } from '../client-request/closing-turn.js';
import { settingChanges } from '../client-request/setting-changes.js';
import { sentOutputCap, sentTemperature, sentTopP } from '../client-request/settings.js';
import type { NeutralCall, Target, WireRequest } from '../protocol.js';
import { cacheControlOf } from './cache-control.js';
import { fitGrammars } from './fit-grammars.js';
import { hasMarks, LIMITED, limitMarks } from './limit-marks.js';
import { inputMessages, isClosed, systemBlocks } from './messages.js';
import { thinkingOf } from './thinking.js';
import { toolChoiceOf, toolsOf, unforced } from './tools.js';
import { API_VERSION, type MessagesBody, type TextBlock } from './wire.js';

/** The settings that the API has. */
export const settings: ReadonlySet<SettingName> = new Set([
  ...(['maxOutputTokens', 'temperature', 'topP', 'topK', 'stop', 'effort', 'format'] as const),
  ...(['parallelToolCalls', 'user', 'cacheKey'] as const),
]);

/** Encodes a request. Throws a GatewayError (400) for unsupported parts, efforts and conversations. */
export function encodeRequest(call: NeutralCall, target: Target): WireRequest {
  const grammars = fitGrammars(call);
  const request = limitMarks(grammars.request);
  const body = messagesBody({ ...call, request }, target.upstreamModel);
  const { temperature, top_p: topP, top_k: topK, tool_choice: sentChoice } = body;
  const isFreed = unforced(toolChoiceOf(call.request), call.traits) !== undefined;
  const choice =
    isFreed && sentChoice !== undefined ? { filled: { toolChoice: sentChoice.type }, dropped: [] } : undefined;
  return {
    method: 'POST',
    url: `${target.baseUrl}/v1/messages`,
    headers: {
      'x-api-key': target.credential,
      'anthropic-version': API_VERSION,
      'content-type': 'application/json',
      accept: call.request.streams ? 'text/event-stream' : 'application/json',
    },
    body: JSON.stringify(body),
    changes: [
      grammars.changes,
      request === grammars.request ? undefined : LIMITED,
      choice,
      isClosed(body.messages) ? CLOSED : undefined,
    ].reduce<Changes>(mergeChanges, settingChanges(call.request.settings, { temperature, topP, topK })),
  };
}

function messagesBody(call: NeutralCall, model: string): MessagesBody {
  const { request, traits, names } = call;
  const maxTokens = sentOutputCap(call) ?? traits.maxOutputTokens;
  const messages = inputMessages(request, names.messages ?? 'messages');
  const tools = toolsOf(request);
  const asked = toolChoiceOf(request);
  const free = unforced(asked, traits);
  const toolChoice = free?.toolChoice ?? asked;
  const instructions = [...systemBlocks(request), ...(free === undefined ? [] : [free.instruction])];
  const thinking = thinkingOf(effortOf(call), traits, { maxTokens, messages, toolChoice });
  const format = formatOf(request.settings.format);
  const stops = (request.settings.stop ?? []).filter((stop) => stop.trim() !== '');
  const { user } = request.settings;
  return {
    model,
    max_tokens: maxTokens,
    ...cachedPrompt(request, instructions),
    messages,
    ...(tools.length > 0 && { tools }),
    ...(toolChoice !== undefined && { tool_choice: toolChoice }),
    ...thinking,
    ...(format !== undefined && { output_config: { ...thinking.output_config, format } }),
    ...(stops.length > 0 && { stop_sequences: stops }),
    ...(thinking.thinking === undefined && samplingOf(call)),
    ...(user !== undefined && { metadata: { user_id: hashedUser(user) } }),
    ...(request.streams && { stream: true }),
  };
}

/**
 * The instructions, and the mark of the whole prompt. Clients of OpenAI's APIs set a key where they expect that a prompt is
 * read from a cache. This API caches what is marked, so without marks a coding assistant would pay its whole history in each
 * turn: decision 0119. Instructions are read also after a history was shortened.
 */
function cachedPrompt(request: NeutralRequest, instructions: readonly TextBlock[]): Partial<MessagesBody> {
  const system = instructions.length > 0 && { system: instructions };
  if (request.settings.cacheKey === undefined || hasMarks(request))
    return { ...system, ...cacheControlOf(request.cache) };
  const mark = cacheControlOf({});
  const last = instructions.length - 1;
  const marked = system && { system: instructions.map((block, at) => (at === last ? { ...block, ...mark } : block)) };
  return { ...marked, ...mark };
}

const formatOf = (format: AnswerFormat | undefined): { type: 'json_schema'; schema: object } | undefined =>
  format?.type === 'schema' && format.schema !== undefined ? { type: 'json_schema', schema: format.schema } : undefined;

/** `temperature` or `top_p`: the upstream rejects both together, and each with thinking. */
function samplingOf(call: NeutralCall): Pick<MessagesBody, 'temperature' | 'top_p' | 'top_k'> {
  const temperature = sentTemperature(call);
  const topP = sentTopP(call);
  const { topK } = call.request.settings;
  return {
    ...(topK !== undefined && call.traits.temperature !== 'fixed' && { top_k: topK }),
    ...(temperature !== undefined ? { temperature } : topP !== undefined && { top_p: topP }),
  };
}

/** The upstream rejects user ids that look like personal data. A hash still separates users. */
const hashedUser = (user: string): string => createHash('sha256').update(user).digest('hex');
