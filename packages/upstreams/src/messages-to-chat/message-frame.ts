import type { MessagesRequest, MessagesUsage, StopDetails, StopReason, Usage } from '@gateway/contracts';
import type { TranslatedMessagesCall } from '../protocol.js';

/** What the answers of one call have in common. */
export interface MessageFrame {
  readonly model: string;
  /** Stands for the upstream's id where it gives none. */
  readonly requestId: string;
  readonly withThinking: boolean;
}

export const frameOf = ({ publicModel, requestId, request }: TranslatedMessagesCall): MessageFrame => ({
  model: publicModel,
  requestId,
  withThinking: showsThinking(request),
});

/** True unless the client wants nothing of what the model thought. */
const showsThinking = ({ thinking }: Pick<MessagesRequest, 'thinking'>): boolean =>
  thinking?.type !== 'disabled' && thinking?.display !== 'omitted';

const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

/** A refusal in words is one, whatever the answer says that it ended by. */
export const stopReasonOf = (finish: string, refusal: string): StopReason =>
  refusal === '' ? (STOP_REASONS[finish] ?? 'end_turn') : 'refusal';

export const stopDetailsOf = (reason: StopReason, refusal: string): StopDetails | null =>
  reason === 'refusal' ? { type: 'refusal', category: null, explanation: refusal === '' ? null : refusal } : null;

export const messageIdOf = (completionId: string | null | undefined, { requestId }: MessageFrame): string =>
  `msg_${(completionId ?? requestId).replace(/^(chatcmpl-|req_)/, '')}`;

/** The counts that are billed, in the format's names. */
export const messagesUsageOf = ({ units }: Usage): MessagesUsage => ({
  input_tokens: (units.input_token ?? 0) + (units.input_audio_token ?? 0),
  cache_creation_input_tokens: (units.cache_write_token ?? 0) + (units.cache_write_1h_token ?? 0),
  cache_read_input_tokens: units.cached_input_token ?? 0,
  output_tokens: units.output_token ?? 0,
});
