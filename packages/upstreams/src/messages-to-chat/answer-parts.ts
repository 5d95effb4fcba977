import type { ChatFinishReason, MessagesUsage, StopDetails, StopReason, Usage } from '@gateway/contracts';

const STOP_REASONS = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
} as const satisfies Record<ChatFinishReason, StopReason>;

/** A refusal in words is one, whatever the answer says that it ended by. */
export const stopReasonOf = (finish: ChatFinishReason, refusal: string): StopReason =>
  refusal === '' ? STOP_REASONS[finish] : 'refusal';

export const stopDetailsOf = (reason: StopReason, refusal: string): StopDetails | null =>
  reason === 'refusal' ? { type: 'refusal', category: null, explanation: refusal === '' ? null : refusal } : null;

export const messageIdOf = (completionId: string): string => `msg_${completionId.replace(/^chatcmpl-/, '')}`;

/** The counts that are billed, in the format's names. */
export const messagesUsageOf = ({ units }: Usage): MessagesUsage => ({
  input_tokens: (units.input_token ?? 0) + (units.input_audio_token ?? 0),
  cache_creation_input_tokens: (units.cache_write_token ?? 0) + (units.cache_write_1h_token ?? 0),
  cache_read_input_tokens: units.cached_input_token ?? 0,
  output_tokens: units.output_token ?? 0,
});
