import type { Completion } from '../../completion/completion.js';
import type { TokenCounts } from '../../count/tokens.js';
import { type Fields, fieldsOf, listOf } from '../../json/fields.js';
import { newId } from '../vendor-ids.js';

export interface ResponseIdentity {
  readonly id: string;
  readonly createdAt: number;
  readonly model: string;
  readonly effort: string | undefined;
  readonly request: Fields;
}

/** `output_tokens` includes reasoning; `input_tokens` includes cached tokens. */
const responseUsage = (counts: TokenCounts) => {
  const outputTokens = counts.visibleTokens + counts.reasoningTokens;
  return {
    input_tokens: counts.inputTokens,
    input_tokens_details: { cached_tokens: counts.cachedTokens, cache_write_tokens: counts.cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: counts.reasoningTokens },
    total_tokens: counts.inputTokens + outputTokens,
  };
};

export type OutputItem = Readonly<Record<string, unknown>> & { readonly id: string; readonly type: string };

export const outputItems = (completion: Completion): OutputItem[] => {
  const items: OutputItem[] = [];
  if (completion.counts.reasoningTokens > 0) {
    const summary = completion.thinking === '' ? [] : [{ type: 'summary_text', text: completion.thinking }];
    items.push({ id: `rs_${newId(24)}`, type: 'reasoning', summary });
  }
  if (completion.text !== '') {
    const content = [{ type: 'output_text', annotations: [], logprobs: [], text: completion.text }];
    items.push({ id: `msg_${newId(24)}`, type: 'message', status: 'completed', content, role: 'assistant' });
  }
  for (const call of completion.toolCalls) {
    items.push({
      id: `fc_${newId(24)}`,
      type: 'function_call',
      status: 'completed',
      arguments: call.argumentsJson,
      call_id: `call_${newId(24)}`,
      name: call.name,
    });
  }
  return items;
};

type Status = 'in_progress' | 'completed' | 'incomplete' | 'failed';

/** A function as the vendor describes it: its schema is strict unless the client says otherwise. */
const describedTool = (tool: Fields): Fields =>
  tool.type === 'function' ? { description: null, parameters: null, strict: true, ...tool } : tool;

const echoed = (request: Fields) => ({
  parallel_tool_calls: request.parallel_tool_calls ?? true,
  previous_response_id: request.previous_response_id ?? null,
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

/** The response at its start, or finished with its items. */
export const responseObject = (
  identity: ResponseIdentity,
  status: Status,
  output: readonly OutputItem[],
  counts: TokenCounts | null,
) => ({
  id: identity.id,
  object: 'response',
  created_at: identity.createdAt,
  status,
  background: false,
  error:
    status === 'failed'
      ? { code: 'server_error', message: 'The server had an error while processing your request. Sorry about that!' }
      : null,
  incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
  instructions: identity.request.instructions ?? null,
  max_output_tokens: identity.request.max_output_tokens ?? null,
  max_tool_calls: identity.request.max_tool_calls ?? null,
  model: identity.model,
  output,
  reasoning: { effort: identity.effort ?? null, summary: fieldsOf(identity.request.reasoning).summary ?? null },
  service_tier: 'default',
  ...echoed(identity.request),
  usage: counts === null ? null : responseUsage(counts),
});

export const wholeResponse = (identity: ResponseIdentity, completion: Completion, hidesUsage: boolean): string => {
  const counts = hidesUsage ? null : completion.counts;
  return JSON.stringify(responseObject(identity, finalStatus(completion), outputItems(completion), counts));
};

export const finalStatus = (completion: Completion): 'completed' | 'incomplete' =>
  completion.finish === 'length' ? 'incomplete' : 'completed';
