import {
  type AnswerFormat,
  type Changes,
  type ChatModelTraits,
  type CustomTool,
  type FunctionTool,
  type NeutralRequest,
  type NeutralSettings,
  type NeutralToolChoice,
  type SettingName,
} from '@gateway/contracts';
import { effortOf } from '../client-request/choose-effort.js';
import { unsupportedValue } from '../client-request/refuse-request.js';
import { settingChanges } from '../client-request/setting-changes.js';
import { sentOutputCap, sentTopP } from '../client-request/settings.js';
import type { NeutralCall, Target, WireRequest } from '../protocol.js';
import { promptOf } from './input-items.js';
import { type CustomWireTool, MIN_OUTPUT_TOKENS, type ResponsesBody, type WireTool } from './wire.js';
import { wireRequest } from './wire-request.js';

/** Public default effort. */
const DEFAULT_EFFORT = 'medium';
const NO_PARAMETERS = { type: 'object', properties: {} } as const;
const ENCRYPTED_REASONING = 'reasoning.encrypted_content';

/** The settings that the API has. */
export const settings: ReadonlySet<SettingName> = new Set([
  ...(['maxOutputTokens', 'topP', 'effort', 'format', 'verbosity', 'parallelToolCalls', 'user', 'metadata'] as const),
  ...(['cacheKey', 'cacheRetention', 'cacheOptions', 'safetyIdentifier'] as const),
]);

/** Encodes a request. Throws a GatewayError (400) for unsupported parts, efforts and caps. */
export function encodeRequest(call: NeutralCall, target: Target): WireRequest {
  const body = responsesBody(call, target.upstreamModel);
  const sent = wireRequest(JSON.stringify(body), call.request.streams, target);
  return { ...sent, changes: changesOf(call.request, body) };
}

/** The public default is no change. */
function changesOf({ settings: given }: NeutralRequest, { reasoning, top_p: topP }: ResponsesBody): Changes {
  const effort = reasoning?.effort as NeutralSettings['effort'];
  const asked = given.effort ?? (effort === undefined ? undefined : DEFAULT_EFFORT);
  return settingChanges({ ...given, effort: asked }, { effort, topP });
}

function responsesBody(call: NeutralCall, model: string): ResponsesBody {
  const { request, traits, returnsReasoning } = call;
  const { instructions, input } = promptOf(request);
  const effort = effortOf(call) ?? defaultEffortOf(traits);
  const topP = sentTopP(call);
  const { metadata } = request.settings;
  return {
    model,
    ...(instructions !== undefined && { instructions }),
    input,
    ...toolOptions(request),
    ...outputCap(call),
    ...(effort !== undefined && { reasoning: { effort } }),
    ...textOptions(request.settings),
    ...(topP !== undefined && { top_p: topP }),
    ...(metadata !== undefined && { metadata }),
    ...carriedFields(request.settings),
    store: false,
    ...(returnsReasoning && effort !== undefined && { include: [ENCRYPTED_REASONING] }),
    ...(request.streams && { stream: true }),
  };
}

/** The interface's default for models that always reason. Others reason on request only. */
const defaultEffortOf = ({ efforts, hiddenReasoning }: ChatModelTraits): string | undefined =>
  hiddenReasoning === 'by_default' ? efforts?.[DEFAULT_EFFORT] : undefined;

/** A cap is never raised: the client would pay for more than it allowed. */
function outputCap(call: NeutralCall): Pick<ResponsesBody, 'max_output_tokens'> {
  const cap = sentOutputCap(call);
  if (cap === undefined) return {};
  if (cap >= MIN_OUTPUT_TOKENS) return { max_output_tokens: cap };
  const name = call.names.maxOutputTokens ?? 'max_output_tokens';
  throw unsupportedValue(`Unsupported value: '${name}' must be at least ${MIN_OUTPUT_TOKENS} with this model.`, name);
}

/** Fields that have the form of the setting. */
const carriedFields = ({
  user,
  cacheKey,
  cacheRetention,
  cacheOptions,
  safetyIdentifier,
}: NeutralSettings): object => ({
  ...(user !== undefined && { user }),
  ...(cacheKey !== undefined && { prompt_cache_key: cacheKey }),
  ...(cacheRetention !== undefined && { prompt_cache_retention: cacheRetention }),
  ...(cacheOptions !== undefined && { prompt_cache_options: cacheOptions }),
  ...(safetyIdentifier !== undefined && { safety_identifier: safetyIdentifier }),
});

/** Always sets `strict`: this API would otherwise default to true. */
const wireTool = ({ name, description, parameters, strict }: FunctionTool): WireTool => ({
  type: 'function',
  name,
  description: description ?? null,
  parameters: parameters ?? NO_PARAMETERS,
  strict: strict ?? false,
});

const customTool = ({ name, description, format }: CustomTool): CustomWireTool => ({
  type: 'custom',
  name,
  ...(description !== undefined && { description }),
  ...(format !== undefined && { format }),
});

type ToolOptions = Pick<ResponsesBody, 'tools' | 'tool_choice' | 'parallel_tool_calls'>;

function toolOptions({ tools = [], toolChoice, settings: { parallelToolCalls } }: NeutralRequest): ToolOptions {
  const sent = tools.flatMap((tool) => {
    if (tool.type === 'vendor') return [];
    return [tool.type === 'custom' ? customTool(tool) : wireTool(tool)];
  });
  if (sent.length === 0) return {};
  return {
    tools: sent,
    ...(toolChoice !== undefined && { tool_choice: wireChoice(toolChoice) }),
    ...(parallelToolCalls !== undefined && { parallel_tool_calls: parallelToolCalls }),
  };
}

function wireChoice(choice: NeutralToolChoice): NonNullable<ToolOptions['tool_choice']> {
  if (choice.type === 'tool') return { type: choice.kind, name: choice.name };
  return choice.type === 'allowed' ? 'auto' : choice.type;
}

function textOptions({ format, verbosity }: NeutralSettings): Pick<ResponsesBody, 'text'> {
  if (format === undefined && verbosity === undefined) return {};
  return {
    text: {
      ...(format !== undefined && { format: wireFormat(format) }),
      ...(verbosity !== undefined && { verbosity }),
    },
  };
}

function wireFormat(format: AnswerFormat): object {
  if (format.type === 'json') return { type: 'json_object' };
  const { name = 'answer', schema, strict, description } = format;
  return {
    type: 'json_schema',
    name,
    schema: schema ?? NO_PARAMETERS,
    ...(strict !== undefined && { strict }),
    ...(description !== undefined && { description }),
  };
}
