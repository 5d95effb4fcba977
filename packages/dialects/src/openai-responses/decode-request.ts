import {
  type AnswerFormat,
  asksForCompaction,
  type DecodedRequest,
  echoedResponseFields,
  type NeutralRequest,
  type NeutralSettings,
  type ResponsesRequest,
  type ResponsesTool,
  updatedEffort,
} from '@gateway/contracts';
import { decodeItems } from './decode-items.js';
import { decodeToolChoice, decodeTools } from './decode-tools.js';
import { askingForSummary } from './summary-request.js';
import type { ClientTools } from './tool-names.js';

/** What a response says of its request. */
export interface ResponsesView {
  readonly echoed: Readonly<Record<string, unknown>>;
  readonly clientTools: ClientTools;
  /** The answer is a summary, in a compaction. */
  readonly isCompaction: boolean;
}

/** The client's field of each setting: platform.openai.com/docs/api-reference/responses/create. */
export const names = {
  messages: 'input',
  tools: 'tools',
  toolChoice: 'tool_choice',
  maxOutputTokens: 'max_output_tokens',
  temperature: 'temperature',
  topP: 'top_p',
  topLogprobs: 'top_logprobs',
  effort: 'reasoning.effort',
  format: 'text.format',
  verbosity: 'text.verbosity',
  parallelToolCalls: 'parallel_tool_calls',
  user: 'user',
  cacheKey: 'prompt_cache_key',
  cacheRetention: 'prompt_cache_retention',
  safetyIdentifier: 'safety_identifier',
} as const;

/** Decodes a validated request. */
export function decodeRequest(body: unknown): DecodedRequest<ResponsesView> {
  const request = body as ResponsesRequest;
  const { tools, clientTools } = decodeTools(toolLists(request));
  const decoded: NeutralRequest = {
    messages: decodeItems(request),
    tools: tools.length > 0 ? tools : undefined,
    toolChoice: decodeToolChoice(request.tool_choice),
    settings: decodeSettings(request),
    // Coding assistants send their effort to every model.
    isEffortHint: true,
    streams: request.stream === true,
  };
  const isCompaction = asksForCompaction(request.input);
  return {
    request: isCompaction ? askingForSummary(decoded) : decoded,
    view: { echoed: echoedResponseFields(request), clientTools, isCompaction },
  };
}

/** Tools of the request, and of items that a search for tools has added. */
function toolLists({ tools, input }: ResponsesRequest): readonly (readonly [string, readonly ResponsesTool[]])[] {
  const ofItems =
    typeof input === 'string' ? [] : input.map((item, index) => [`input[${index}].tools`, item.tools ?? []] as const);
  return [['tools', tools ?? []], ...ofItems];
}

function decodeSettings(request: ResponsesRequest): NeutralSettings {
  const { reasoning, text } = request;
  const settings = {
    maxOutputTokens: request.max_output_tokens,
    temperature: request.temperature,
    topP: request.top_p,
    topLogprobs: request.top_logprobs || undefined,
    effort: updatedEffort(request.input) ?? reasoning?.effort,
    format: decodeFormat(text?.format),
    verbosity: text?.verbosity,
    parallelToolCalls: request.parallel_tool_calls,
    user: request.user || undefined,
    cacheKey: request.prompt_cache_key,
    cacheRetention: request.prompt_cache_retention,
    safetyIdentifier: request.safety_identifier,
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value != null));
}

function decodeFormat(format: NonNullable<ResponsesRequest['text']>['format']): AnswerFormat | undefined {
  if (format == null || format.type === 'text') return undefined;
  if (format.type === 'json_object') return { type: 'json' };
  const { name, description, schema, strict } = format;
  return {
    type: 'schema',
    name,
    schema,
    ...(description != null && { description }),
    ...(strict != null && { strict }),
  };
}
