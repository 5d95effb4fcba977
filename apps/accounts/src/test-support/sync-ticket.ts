import { newRequestId, type SyncTicket } from '@gateway/contracts';

/** A ticket that no worker takes. */
export const TICKET: SyncTicket = {
  schemaVersion: 1,
  requestId: newRequestId(),
  accountId: 'acct_x',
  keyId: 'key_x',
  endpoint: 'embeddings',
  model: 'vg-4',
  price: { version: 'vg-4@2026-01-01', perMillion: { input_token: '1' } },
  holdNanoUsd: '1',
  deadlineMs: 1,
  admittedAtMs: 0,
  replyTo: 'ws://127.0.0.1:1/relay',
  claimToken: 'c1a1m'.repeat(6),
};
