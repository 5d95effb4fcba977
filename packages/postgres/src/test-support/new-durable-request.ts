import { type AccountId, type KeyId, newRequestId, type SyncTicket } from '@gateway/contracts';
import type { NewDurableRequest } from '../requests/find-request.js';

const HOUR_MS = 3_600_000;

/** A kept request that is admitted now. The edge's own fields of its ticket are missing. */
export function newDurableRequest(accountId: string, more: Partial<NewDurableRequest> = {}): NewDurableRequest {
  const now = Date.now();
  const ticket = {
    requestId: newRequestId(),
    accountId: accountId as AccountId,
    keyId: 'key_a' as KeyId,
    endpoint: 'chat.completions',
    model: 'gp-5.4',
    admittedAtMs: now,
    deadlineMs: now + 60_000,
  } as unknown as SyncTicket;
  return {
    ticket,
    vendor: 'openai',
    webhookUrl: null,
    createdAtMs: now,
    dueInMs: 60_000,
    deadlineMs: now + 60_000,
    retentionMs: undefined,
    defaultRetentionMs: HOUR_MS,
    shortBody: undefined,
    bytes: 100,
    limitBytes: 1_000_000,
    ...more,
  };
}
