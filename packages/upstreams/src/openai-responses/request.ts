import {
  type Changes,
  type ChatCompletionRequest,
  type ChatModelTraits,
  type ChatTool,
  mergeChanges,
} from '@gateway/contracts';
import { checkInputs } from '../client-request/check-inputs.js';
import { chooseEffort } from '../client-request/choose-effort.js';
import { unsupportedValue } from '../client-request/refuse-request.js';
import { chatChanges } from '../client-request/report-changes.js';
import { outputCapOf, topPOf } from '../client-request/sampling.js';
import { checkFields } from '../field-table/check-fields.js';
import type { ChatCall, Target, WireRequest } from '../protocol.js';
import { fields } from './fields.js';
import { promptOf } from './input-items.js';
import { MIN_OUTPUT_TOKENS, type ResponsesBody, type WireTool } from './wire.js';

/** Public default effort. */
const DEFAULT_EFFORT = 'medium';
const CARRIED = ['prompt_cache_key', 'prompt_cache_retention', 'safety_identifier'] as const;
const NO_PARAMETERS = { type: 'object', properties: {} } as const;

/** Translates a chat request. Drops `stop`, penalties, `seed` and `temperature`, which this API does not have. */
export function buildRequest(call: ChatCall, target: Target): WireRequest {
  checkInputs(call.request, call.traits);
  const body = responsesBody(call, target.upstreamModel);
  return {
    method: 'POST',
    url: `${target.baseUrl}/v1/responses`,
    headers: {
      authorization: `Bearer ${target.credential}`,
      'content-type': 'application/json',
      accept: call.request.stream === true ? 'text/event-stream' : 'application/json',
    },
    body: JSON.stringify(body),
    changes: changesOf(call.request, body),
  };
}

/** The public default is no change. */
function changesOf(request: ChatCompletionRequest, { reasoning, top_p }: ResponsesBody): Changes {
  const given = { ...request, reasoning_effort: request.reasoning_effort ?? DEFAULT_EFFORT };
  // A model whose other requests go over another protocol was checked by that one's table.
  const dropped = { filled: {}, dropped: checkFields(request, fields) };
  return mergeChanges(dropped, chatChanges(given, { reasoning_effort: reasoning?.effort, top_p }));
}

function responsesBody(call: ChatCall, model: string): ResponsesBody {
  const { request, traits } = call;
  const { instructions, input } = promptOf(request);
  const tools = (request.tools ?? []).map(wireTool);
  const cap = outputCapOf(request, traits);
  const effort = chooseEffort(request, traits) ?? defaultEffortOf(traits);
  const topP = topPOf(request, traits);
  return {
    model,
    ...(instructions !== undefined && { instructions }),
    input,
    ...(tools.length > 0 && { tools, ...toolOptions(request) }),
    ...(cap !== undefined && { max_output_tokens: checkedCap(cap) }),
    ...(effort !== undefined && { reasoning: { effort } }),
    ...textOptions(request),
    ...(topP !== undefined && { top_p: topP }),
    ...(request.metadata && { metadata: request.metadata }),
    ...(request.user && { user: request.user }),
    ...carriedFields(request),
    store: false,
    ...(request.stream === true && { stream: true }),
  };
}

/** The interface's default for models that always reason. Others reason on request only. */
const defaultEffortOf = ({ efforts, hiddenReasoning }: ChatModelTraits): string | undefined =>
  hiddenReasoning === 'by_default' ? efforts?.[DEFAULT_EFFORT] : undefined;

/** A cap is never raised: the client would pay for more than it allowed. */
function checkedCap(cap: number): number {
  if (cap >= MIN_OUTPUT_TOKENS) return cap;
  throw unsupportedValue(
    `Unsupported value: 'max_completion_tokens' must be at least ${MIN_OUTPUT_TOKENS} with this model.`,
    'max_completion_tokens',
  );
}

/** Fields that both APIs of the vendor have under one name. */
const carriedFields = (request: ChatCompletionRequest): Readonly<Record<string, unknown>> =>
  Object.fromEntries(CARRIED.filter((name) => request[name] != null).map((name) => [name, request[name]]));

/** Always sets `strict`: this API would otherwise default to true. */
const wireTool = ({ function: tool }: ChatTool): WireTool => ({
  type: 'function',
  name: tool.name,
  description: tool.description ?? null,
  parameters: tool.parameters ?? NO_PARAMETERS,
  strict: tool.strict ?? false,
});

function toolOptions(request: ChatCompletionRequest): Pick<ResponsesBody, 'tool_choice' | 'parallel_tool_calls'> {
  const { tool_choice: choice, parallel_tool_calls: parallel } = request;
  return {
    ...(choice != null && {
      tool_choice: typeof choice === 'string' ? choice : { type: 'function' as const, name: choice.function.name },
    }),
    ...(parallel != null && { parallel_tool_calls: parallel }),
  };
}

function textOptions(request: ChatCompletionRequest): Pick<ResponsesBody, 'text'> {
  const format = formatOf(request);
  const { verbosity } = request;
  if (format === undefined && verbosity == null) return {};
  return { text: { ...(format !== undefined && { format }), ...(verbosity != null && { verbosity }) } };
}

function formatOf({ response_format: format }: ChatCompletionRequest): object | undefined {
  if (format == null || format.type === 'text') return undefined;
  if (format.type === 'json_object') return { type: 'json_object' };
  const { name, schema, strict, description } = format.json_schema;
  return {
    type: 'json_schema',
    name,
    schema: schema ?? NO_PARAMETERS,
    ...(strict != null && { strict }),
    ...(description !== undefined && { description }),
  };
}
