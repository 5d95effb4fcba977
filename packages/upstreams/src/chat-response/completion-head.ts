import type { ChatCall } from '../protocol.js';

/** First fields of a `chat.completion` and of each of its chunks. */
export interface CompletionHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  /** Public model id. */
  readonly model: string;
}

/** Facts of a call that its response needs. */
export type CallIdentity = Pick<ChatCall, 'publicModel' | 'requestId' | 'createdSeconds'>;

/** Copies these facts. A stream reader must not hold the call: its prompt would stay in memory until the stream ends. */
export const callIdentity = ({ publicModel, requestId, createdSeconds }: ChatCall): CallIdentity => ({
  publicModel,
  requestId,
  createdSeconds,
});
