import type { NeutralFinish } from '@gateway/contracts';

const FINISHES: Readonly<Record<string, NeutralFinish>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-calls',
  refusal: 'filtered',
};

/** Converts `stop_reason`; unknown reasons become `stop`. */
export const finishOf = (stopReason: string): NeutralFinish => FINISHES[stopReason] ?? 'stop';
