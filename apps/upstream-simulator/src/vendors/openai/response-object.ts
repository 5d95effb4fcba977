import type { TokenCounts } from '../../count/tokens.js';
import { type Fields, fieldsOf, listOf } from '../../json/fields.js';
import { nowSeconds } from '../vendor-ids.js';
import type { ResponseWork } from './read-response-request.js';
import { finalStatus, type OutputItem } from './response-items.js';

/** One response, before it is sent. */
export interface ResponseDraft {
  readonly id: string;
  readonly createdAt: number;
  readonly model: string;
  readonly request: Fields;
  readonly work: ResponseWork;
  readonly items: readonly OutputItem[];
}

/** `output_tokens` includes reasoning; `input_tokens` includes cached tokens. */
export const responseUsage = (counts: TokenCounts) => {
  const outputTokens = counts.visibleTokens + counts.reasoningTokens;
  return {
    input_tokens: counts.inputTokens,
    input_tokens_details: { cached_tokens: counts.cachedTokens, cache_write_tokens: counts.cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: counts.reasoningTokens },
    total_tokens: counts.inputTokens + outputTokens,
  };
};

/** Not in the vendor's documentation: its responses have it. */
const toolUsage = ({ webSearches = 0 }: TokenCounts) => ({
  image_gen: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
  web_search: { num_requests: webSearches },
});

/** A function as the vendor describes it: its schema is strict unless the client says otherwise. */
const describedTool = (tool: Fields): Fields => {
  if (tool.type === 'custom') return { description: null, format: { type: 'text' }, ...tool };
  return tool.type === 'function' ? { description: null, parameters: null, strict: true, ...tool } : tool;
};

const echoed = (request: Fields) => ({
  frequency_penalty: 0,
  parallel_tool_calls: request.parallel_tool_calls ?? true,
  presence_penalty: 0,
  previous_response_id: request.previous_response_id ?? null,
  prompt_cache_key: request.prompt_cache_key ?? null,
  safety_identifier: request.safety_identifier ?? null,
  store: request.store ?? true,
  temperature: request.temperature ?? 1,
  text: { verbosity: 'medium', ...fieldsOf(request.text), format: fieldsOf(request.text).format ?? { type: 'text' } },
  tool_choice: request.tool_choice ?? 'auto',
  tools: listOf(request.tools).map(fieldsOf).map(describedTool),
  top_logprobs: request.top_logprobs ?? 0,
  top_p: request.top_p ?? 1,
  truncation: request.truncation ?? 'disabled',
  user: request.user ?? null,
  metadata: request.metadata ?? {},
});

export type ResponseError = Readonly<{ code: string; message: string }>;

type State = Readonly<{
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  output?: readonly OutputItem[];
  counts?: TokenCounts;
  error?: ResponseError;
}>;

const incompleteDetails = ({ directives }: ResponseWork) => ({
  reason: directives.isFiltered === true ? 'content_filter' : 'max_output_tokens',
});

const responseObject = (
  { id, createdAt, model, request, work }: ResponseDraft,
  { status, output = [], counts, error }: State,
) => ({
  id,
  object: 'response',
  created_at: createdAt,
  completed_at: status === 'completed' ? nowSeconds() : null,
  status,
  background: false,
  error: error ?? null,
  incomplete_details: status === 'incomplete' ? incompleteDetails(work) : null,
  instructions: request.instructions ?? null,
  max_output_tokens: request.max_output_tokens ?? null,
  max_tool_calls: request.max_tool_calls ?? null,
  model,
  output,
  reasoning: { effort: work.effort ?? null, summary: fieldsOf(request.reasoning).summary ?? null },
  service_tier: 'default',
  ...echoed(request),
  ...(counts !== undefined && { tool_usage: toolUsage(counts) }),
  usage: counts === undefined ? null : responseUsage(counts),
});

export const startedResponse = (draft: ResponseDraft) => responseObject(draft, { status: 'in_progress' });

export const finishedResponse = (draft: ResponseDraft) => {
  const { completion, directives } = draft.work;
  return responseObject(draft, {
    status: finalStatus(draft.work),
    output: draft.items,
    ...(directives.hidesUsage !== true && { counts: completion.counts }),
  });
};

export const failedResponse = (draft: ResponseDraft, error: ResponseError) =>
  responseObject(draft, { status: 'failed', error });
