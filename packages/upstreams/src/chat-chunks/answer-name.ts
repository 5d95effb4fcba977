import type { ChatCall } from '../protocol.js';

/** What an answer says of its call. */
export type AnswerName = Pick<ChatCall, 'publicModel' | 'requestId' | 'createdSeconds'>;

/** Readers keep this and not the call: its prompt would live in memory as long as the answer. */
export const answerName = ({ publicModel, requestId, createdSeconds }: ChatCall): AnswerName => ({
  publicModel,
  requestId,
  createdSeconds,
});
