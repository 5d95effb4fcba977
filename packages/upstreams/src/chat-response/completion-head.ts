import type { ChatCall } from '../protocol.js';

/** What an answer says of its call. */
export type CallIdentity = Pick<ChatCall, 'publicModel' | 'requestId' | 'createdSeconds'>;

/** Readers keep this and not the call: its prompt would live in memory as long as the answer. */
export const callIdentity = ({ publicModel, requestId, createdSeconds }: ChatCall): CallIdentity => ({
  publicModel,
  requestId,
  createdSeconds,
});
