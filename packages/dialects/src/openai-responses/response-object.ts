import {
  type AnswerFrame,
  type NeutralFinish,
  type RequestId,
  responseIdOf,
  type TokenCounts,
} from '@gateway/contracts';
import type { ResponsesView } from './decode-request.js';

export interface ResponseState {
  readonly status: 'in_progress' | 'completed' | 'incomplete';
  readonly reason?: 'max_output_tokens' | 'content_filter';
  readonly output: readonly object[];
  readonly counts?: TokenCounts;
}

export const usageOf = (counts: TokenCounts) => ({
  input_tokens: counts.promptTokens,
  input_tokens_details: {
    cached_tokens: counts.cachedTokens,
    cache_write_tokens: (counts.cacheWriteTokens ?? 0) + (counts.cacheWrite1hTokens ?? 0),
  },
  output_tokens: counts.completionTokens,
  output_tokens_details: { reasoning_tokens: counts.reasoningTokens },
  total_tokens: counts.promptTokens + counts.completionTokens,
});

/** The response object. `createdSeconds`: of the upstream, if it sent them. */
export const responseObject = (
  { publicModel, requestId, view, ...frame }: AnswerFrame<ResponsesView>,
  createdSeconds: number | undefined,
  { status, reason, output, counts }: ResponseState,
) => ({
  id: responseIdOf(requestId as RequestId),
  object: 'response',
  created_at: createdSeconds ?? frame.createdSeconds,
  completed_at: status === 'completed' ? frame.nowSeconds() : null,
  status,
  error: null,
  incomplete_details: reason === undefined ? null : { reason },
  model: publicModel,
  output,
  ...view.echoed,
  usage: counts === undefined ? null : usageOf(counts),
});

type End = Pick<ResponseState, 'status' | 'reason'>;

/** How a response ends. A refusal in words is complete. */
export function endOf(finish: NeutralFinish, hasRefusal: boolean): End {
  if (finish === 'length') return { status: 'incomplete', reason: 'max_output_tokens' };
  if (finish === 'filtered' && !hasRefusal) return { status: 'incomplete', reason: 'content_filter' };
  return { status: 'completed' };
}
