import type { ResponsesRequest, ResponsesTool } from '../api/responses-request.js';

/** A request without its prompt. */
type EchoedRequest = Partial<ResponsesRequest>;

/** Fields that a response repeats, with the values that the protocol has for an absent one. */
const ECHOED: Readonly<Record<string, unknown>> = {
  background: false,
  frequency_penalty: 0,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  safety_identifier: null,
  temperature: 1,
  tool_choice: 'auto',
  top_logprobs: 0,
  top_p: 1,
  user: null,
};

/** What a response says of its request. */
export function echoedResponseFields(request: EchoedRequest): Readonly<Record<string, unknown>> {
  const given: Readonly<Record<string, unknown>> = request;
  const { reasoning, text } = request;
  return {
    ...Object.fromEntries(Object.entries(ECHOED).map(([name, absent]) => [name, given[name] ?? absent])),
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    service_tier: 'default',
    store: request.store ?? true,
    ...conversationOf(request),
    text: { format: text?.format ?? { type: 'text' }, ...(text?.verbosity != null && { verbosity: text.verbosity }) },
    tools: (request.tools ?? []).map(echoedTool),
    truncation: 'disabled',
  };
}

const conversationOf = ({ conversation }: EchoedRequest): object =>
  conversation == null ? {} : { conversation: typeof conversation === 'string' ? { id: conversation } : conversation };

/**
 * What the protocol's own vendor repeats of a tool that does not have it; typed clients require it. No vendor but that one
 * holds a schema strictly without being asked.
 */
const ABSENT_OF_TOOL: Readonly<Record<string, object>> = {
  function: { description: null, parameters: null, strict: false },
  custom: { format: { type: 'text' } },
};

const echoedTool = (tool: ResponsesTool): object => ({ ...ABSENT_OF_TOOL[tool.type], ...tool });
