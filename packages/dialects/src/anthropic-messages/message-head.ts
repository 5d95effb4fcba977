import type {
  AnswerFrame,
  AnswerHead,
  MessagesUsage,
  NeutralFinish,
  StopDetails,
  StopReason,
  TokenCounts,
} from '@gateway/contracts';

const STOP_REASONS: Readonly<Record<NeutralFinish, StopReason>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  filtered: 'refusal',
};

/** What ended a message, in the fields of the format. */
export interface MessageStop {
  readonly stop_reason: StopReason;
  readonly stop_sequence: string | null;
  readonly stop_details: StopDetails | null;
}

/** Refusal text wins over the finish. */
export function stopOf(finish: NeutralFinish, refusal: string, stopSequence: string | undefined): MessageStop {
  const reason = refusal === '' ? STOP_REASONS[finish] : 'refusal';
  const details = { type: 'refusal', category: null, explanation: refusal === '' ? null : refusal } as const;
  const isSequence = reason === 'end_turn' && stopSequence !== undefined;
  return {
    stop_reason: isSequence ? 'stop_sequence' : reason,
    stop_sequence: isSequence ? stopSequence : null,
    stop_details: reason === 'refusal' ? details : null,
  };
}

const PREFIX = 'msg_';

/** The upstream's id, or the request's, with the prefix of the format instead of another one. */
export function messageIdOf({ id }: Pick<AnswerHead, 'id'>, { requestId }: AnswerFrame): string {
  const bare = (id ?? requestId).replace(/^(chatcmpl-|req_|msg_)/, '');
  return `${PREFIX}${bare}`;
}

/** `input_tokens` excludes tokens of a cache. */
export const messagesUsageOf = (counts: TokenCounts): MessagesUsage => {
  const written = (counts.cacheWriteTokens ?? 0) + (counts.cacheWrite1hTokens ?? 0);
  return {
    input_tokens: counts.promptTokens - counts.cachedTokens - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: counts.cachedTokens,
    output_tokens: counts.completionTokens,
  };
};
