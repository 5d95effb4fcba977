import {
  type AnswerFormat,
  type ChatCompletionRequest,
  type ChatTool,
  type CustomTool,
  chatToolName,
  type DecodedRequest,
  type FunctionTool,
  type NeutralSettings,
  type NeutralToolChoice,
} from '@gateway/contracts';
import { cacheOf } from '../cache-mark.js';
import { decodeMessages } from './decode-messages.js';

export interface ChatView {
  /** The client wants the counts as the last chunk. */
  readonly includesUsage: boolean;
}

/** The client's field of each setting: platform.openai.com/docs/api-reference/chat/create. */
export const names = {
  messages: 'messages',
  tools: 'tools',
  toolChoice: 'tool_choice',
  maxOutputTokens: 'max_completion_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  stop: 'stop',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  logitBias: 'logit_bias',
  logprobs: 'logprobs',
  topLogprobs: 'top_logprobs',
  effort: 'reasoning_effort',
  format: 'response_format',
  verbosity: 'verbosity',
  parallelToolCalls: 'parallel_tool_calls',
  user: 'user',
  metadata: 'metadata',
  cacheKey: 'prompt_cache_key',
  cacheRetention: 'prompt_cache_retention',
  cacheOptions: 'prompt_cache_options',
  safetyIdentifier: 'safety_identifier',
} as const;

/** Decodes a validated request. */
export function decodeRequest(body: unknown): DecodedRequest<ChatView> {
  const request = body as ChatCompletionRequest;
  const tools = request.tools ?? [];
  return {
    request: {
      messages: decodeMessages(request),
      tools: tools.length > 0 ? tools.map(decodeTool) : undefined,
      toolChoice: decodeToolChoice(request.tool_choice),
      settings: decodeSettings(request),
      cache: cacheOf(request),
      isEffortHint: false,
      streams: request.stream === true,
    },
    view: { includesUsage: request.stream_options?.include_usage === true },
  };
}

function decodeTool(tool: ChatTool): FunctionTool | CustomTool {
  if (tool.type === 'custom') {
    const { name, description, format } = tool.custom;
    return { type: 'custom', name, description, format: format == null ? undefined : flatFormat(format) };
  }
  const { name, description, parameters, strict } = tool.function;
  return {
    type: 'function',
    name,
    description,
    parameters: parameters ?? undefined,
    strict: strict ?? undefined,
    cache: cacheOf(tool),
  };
}

/** Chat nests the grammar that the neutral form has flat, as the Responses protocol. */
const flatFormat = ({ type, grammar }: Readonly<Record<string, unknown>>): CustomTool['format'] =>
  typeof grammar === 'object' && grammar !== null ? { type, ...grammar } : { type };

function decodeToolChoice(choice: ChatCompletionRequest['tool_choice']): NeutralToolChoice | undefined {
  if (choice == null) return undefined;
  if (typeof choice === 'string') return { type: choice };
  if (choice.type === 'custom') return { type: 'tool', name: choice.custom.name, kind: 'custom' };
  if (choice.type === 'function') return { type: 'tool', name: choice.function.name, kind: 'function' };
  const { mode, tools } = choice.allowed_tools;
  return { type: 'allowed', names: tools.map(chatToolName), isRequired: mode === 'required' };
}

/** Fields whose value has the same form as the setting. */
const PLAIN = [
  ...(['temperature', 'topP', 'seed', 'presencePenalty', 'frequencyPenalty', 'logitBias', 'logprobs'] as const),
  ...(['topLogprobs', 'effort', 'verbosity', 'parallelToolCalls', 'metadata', 'cacheKey', 'cacheRetention'] as const),
  ...(['cacheOptions', 'safetyIdentifier'] as const),
] as const;

function decodeSettings(request: ChatCompletionRequest): NeutralSettings {
  const fields: Readonly<Record<string, unknown>> = request;
  const settings: Record<string, unknown> = {
    maxOutputTokens: request.max_completion_tokens ?? request.max_tokens ?? undefined,
    stop: stopsOf(request.stop),
    format: decodeFormat(request.response_format),
    user: request.user || undefined,
  };
  for (const name of PLAIN) settings[name] = fields[names[name]] ?? undefined;
  return settings;
}

function stopsOf(stop: ChatCompletionRequest['stop']): readonly string[] | undefined {
  if (stop == null || stop.length === 0) return undefined;
  return typeof stop === 'string' ? [stop] : stop;
}

function decodeFormat(format: ChatCompletionRequest['response_format']): AnswerFormat | undefined {
  if (format == null || format.type === 'text') return undefined;
  if (format.type === 'json_object') return { type: 'json' };
  const { name, description, schema, strict } = format.json_schema;
  return { type: 'schema', name, description, schema, strict: strict ?? undefined };
}
