import type { AnswerFrame, AnswerHead, ChatFinishReason, NeutralFinish } from '@gateway/contracts';
import type { CompletionHead } from './chunk-encoder.js';

const PREFIX = 'chatcmpl-';

const prefixed = (id: string): string => (id.startsWith(PREFIX) ? id : `${PREFIX}${id}`);

export const completionHead = (
  { id, createdSeconds }: Pick<AnswerHead, 'id' | 'createdSeconds'>,
  frame: AnswerFrame,
): CompletionHead => ({
  id: prefixed(id ?? frame.requestId),
  created: createdSeconds ?? frame.createdSeconds,
  model: frame.publicModel,
});

const FINISH_REASONS: Readonly<Record<NeutralFinish, ChatFinishReason>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  filtered: 'content_filter',
};

export const finishReasonOf = (finish: NeutralFinish): ChatFinishReason => FINISH_REASONS[finish];
