import type { MessagesRequest, MessagesUsage, StopDetails, StopReason, Usage } from '@gateway/contracts';
import type { TranslatedMessagesCall } from '../protocol.js';

/** Facts of a call that its message needs. */
export interface MessageFrame {
  readonly model: string;
  /** Replaces a missing response id of the upstream. */
  readonly requestId: string;
  readonly showsThinking: boolean;
}

export const frameOf = ({ publicModel, requestId, request }: TranslatedMessagesCall): MessageFrame => ({
  model: publicModel,
  requestId,
  showsThinking: hasVisibleThinking(request),
});

/** False if the client disabled thinking or its display. */
const hasVisibleThinking = ({ thinking }: Pick<MessagesRequest, 'thinking'>): boolean =>
  thinking?.type !== 'disabled' && thinking?.display !== 'omitted';

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

/** Refusal text wins over the finish reason. */
export const stopReasonOf = (finish: string, refusal: string): StopReason =>
  refusal === '' ? (STOP_REASONS[finish] ?? 'end_turn') : 'refusal';

export const stopDetailsOf = (reason: StopReason, refusal: string): StopDetails | null =>
  reason === 'refusal' ? { type: 'refusal', category: null, explanation: refusal === '' ? null : refusal } : null;

export const messageIdOf = (completionId: string | null | undefined, { requestId }: MessageFrame): string =>
  `msg_${(completionId ?? requestId).replace(/^(chatcmpl-|req_)/, '')}`;

/** Billed counts, in the field names of the messages format. */
export const messagesUsageOf = ({ units }: Usage): MessagesUsage => ({
  input_tokens: (units.input_token ?? 0) + (units.input_audio_token ?? 0),
  cache_creation_input_tokens: (units.cache_write_token ?? 0) + (units.cache_write_1h_token ?? 0),
  cache_read_input_tokens: units.cached_input_token ?? 0,
  output_tokens: units.output_token ?? 0,
});
