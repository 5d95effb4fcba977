import type { ChatUsage } from '@gateway/contracts';
import type { ChatCall } from '../protocol.js';

/** Last event of a stream of chunks. */
export const DONE_EVENT = 'data: [DONE]\n\n';

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

/** The chunk of the counts, which the upstream did not send. */
export function usageChunk({ id, created, model }: CompletionHead, usage: ChatUsage): string {
  const chunk = { id, object: 'chat.completion.chunk', created, model, choices: [], usage };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
