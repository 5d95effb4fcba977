import {
  type AnswerFormat,
  type Changes,
  type ChatCompletionRequest,
  type ChatResponseFormat,
  type ChatTool,
  type ChatToolChoice,
  GatewayError,
  isGatewayError,
  type NeutralRequest,
  type NeutralSettings,
  type NeutralTool,
  type SettingName,
  type SettingNames,
} from '@gateway/contracts';
import type { ChatCall, NeutralCall, NeutralProtocol, Target, WireRequest } from '../protocol.js';
import { chatCallOfRequest } from './chat-call.js';
import { chatMessages } from './chat-prompt.js';

/** This API's field of each setting. */
const FIELDS = {
  messages: 'messages',
  toolChoice: 'tool_choice',
  maxOutputTokens: 'max_completion_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  stop: 'stop',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  logitBias: 'logit_bias',
  effort: 'reasoning_effort',
  format: 'response_format',
  verbosity: 'verbosity',
  parallelToolCalls: 'parallel_tool_calls',
  user: 'user',
  cacheKey: 'prompt_cache_key',
  cacheRetention: 'prompt_cache_retention',
  cacheOptions: 'prompt_cache_options',
  safetyIdentifier: 'safety_identifier',
} as const satisfies SettingNames;

const SETTINGS: ReadonlyMap<string, string> = new Map(Object.entries(FIELDS).map(([name, field]) => [field, name]));

/** The settings of the API. Log probabilities have no neutral form in an answer. */
export const chatSettings: ReadonlySet<SettingName> = new Set(
  Object.keys(FIELDS).filter((name): name is SettingName => name !== 'messages' && name !== 'toolChoice'),
);

/** What the API has no field for. */
export const CHAT_LOSSES: NeutralProtocol['losses'] = {
  reasoning: 'These APIs take no reasoning back.',
  'tool error': 'A tool message has no mark for errors: its text says so.',
  'cache mark': 'The vendor caches prompts without marks.',
};

type BuildRequest = (call: ChatCall, target: Target) => WireRequest;

/** Encodes a request as the chat request of a client, and sends that as the vendor needs it. */
export const encodeWith =
  (buildRequest: BuildRequest) =>
  (call: NeutralCall, target: Target): WireRequest => {
    const { changes, ...request } = withNames(call.names, () => buildRequest(chatCallOf(call), target));
    return { ...request, ...(changes !== undefined && { changes: inNeutralNames(changes) }) };
  };

export function chatCallOf({ request, publicModel, traits, requestId, createdSeconds }: NeutralCall): ChatCall {
  return chatCallOfRequest(chatRequestOf(request, publicModel), { publicModel, traits, requestId, createdSeconds });
}

function chatRequestOf(request: NeutralRequest, model: string): ChatCompletionRequest {
  const { tools, toolChoice, settings, streams } = request;
  return {
    model,
    messages: [...chatMessages(request.messages)],
    ...(tools !== undefined && { tools: tools.flatMap(chatTool) }),
    ...(toolChoice !== undefined && { tool_choice: chatChoice(toolChoice) }),
    ...chatFieldsOf(settings),
    ...(streams && { stream: true }),
  };
}

function chatFieldsOf(settings: NeutralSettings): Partial<ChatCompletionRequest> {
  const fields: Record<string, unknown> = {};
  for (const name of chatSettings)
    if (settings[name] !== undefined) fields[FIELDS[name as keyof typeof FIELDS]] = settings[name];
  if (settings.format !== undefined) fields.response_format = chatFormat(settings.format);
  return fields;
}

function chatFormat(format: AnswerFormat): ChatResponseFormat {
  if (format.type === 'json') return { type: 'json_object' };
  const { name = 'answer', description, schema, strict } = format;
  return {
    type: 'json_schema',
    json_schema: {
      name,
      ...(description !== undefined && { description }),
      ...(schema !== undefined && { schema }),
      ...(strict !== undefined && { strict }),
    },
  };
}

function chatTool(tool: NeutralTool): ChatTool[] {
  if (tool.type !== 'function') return [];
  const { name, description, parameters, strict } = tool;
  return [
    {
      type: 'function',
      function: {
        name,
        ...(description !== undefined && { description }),
        ...(parameters !== undefined && { parameters }),
        ...(strict !== undefined && { strict }),
      },
    },
  ];
}

function chatChoice(choice: NonNullable<NeutralRequest['toolChoice']>): ChatToolChoice {
  if (choice.type === 'tool') return { type: 'function', function: { name: choice.name } };
  return choice.type === 'allowed' ? 'auto' : choice.type;
}

/** Errors name the client's fields, not this API's. */
function withNames(names: SettingNames, run: () => WireRequest): WireRequest {
  try {
    return run();
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    const { param, ...details } = error.details;
    const name = names[SETTINGS.get(param ?? '') as keyof SettingNames];
    throw name === undefined ? error : new GatewayError(error.code, error.message, { ...details, param: name });
  }
}

const inNeutralNames = ({ filled, dropped }: Changes): Changes => {
  const nameOf = (field: string): string => SETTINGS.get(field) ?? field;
  return {
    filled: Object.fromEntries(Object.entries(filled).map(([field, value]) => [nameOf(field), value])),
    dropped: dropped.map(nameOf),
  };
};
