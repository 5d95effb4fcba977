import type { ChatFinishReason } from '@gateway/contracts';

const FINISH_REASONS: Readonly<Record<string, ChatFinishReason>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** Converts `stop_reason`; unknown reasons become `stop`. */
export const finishReasonOf = (stopReason: string): ChatFinishReason => FINISH_REASONS[stopReason] ?? 'stop';
