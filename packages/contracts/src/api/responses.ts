import { z } from 'zod';

/*
 * POST /v1/responses: the request of the Responses protocol.
 * An upstream of the same protocol receives the client's bytes and checks them, so only what the gateway reads is checked here.
 */

/** The protocol's smallest output cap. */
export const MIN_RESPONSE_TOKENS = 16;

/** An item without a type and a role would refer to one that the vendor stores. */
const item = z
  .looseObject({ type: z.string().nullish(), role: z.string().nullish() })
  .refine(({ type, role }) => type != null || role != null, { error: "expected a 'type' or a 'role'", path: ['type'] });

const tool = z.looseObject({ type: z.string().min(1), environment: z.looseObject({ type: z.string() }).nullish() });

/** For a model whose upstream speaks the protocol. The table of its fields rejects what costs more than the model's price. */
export const nativeResponsesRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(item).min(1)]),
  instructions: z.string().nullish(),
  max_output_tokens: z.int().min(MIN_RESPONSE_TOKENS).nullish(),
  max_tool_calls: z.int().min(1).nullish(),
  reasoning: z.looseObject({ effort: z.string().nullish() }).nullish(),
  include: z.array(z.string()).nullish(),
  previous_response_id: z.string().nullish(),
  conversation: z.union([z.string(), z.looseObject({ id: z.string() })]).nullish(),
  background: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  tools: z.array(tool).nullish(),
});

export type NativeResponsesRequest = z.infer<typeof nativeResponsesRequest>;

/** Tools that search the web at the vendor, which bills each search: `web_search`, its dated names and its previews. */
export const RESPONSES_SEARCH_TOOL = /^web_search(_preview)?(_\d{4}_\d{2}_\d{2})?$/;

/** Calls of the vendor's tools in one response, for a client that set no `max_tool_calls`. The hold pays for so many. */
export const DEFAULT_TOOL_CALLS = 10;

/** True if the vendor may run a tool that it bills apart from tokens. */
export const searchesTheWeb = (tools: NativeResponsesRequest['tools']): boolean =>
  tools?.some(({ type }) => RESPONSES_SEARCH_TOOL.test(type)) ?? false;

/** POST /v1/responses/input_tokens: the parts of a request that its prompt is made of. */
export const responsesCountRequest = nativeResponsesRequest
  .pick({ instructions: true, previous_response_id: true, conversation: true, tools: true })
  .extend({ model: z.string().min(1), input: z.union([z.string(), z.array(item)]) })
  .loose();
