import type { UsageSettled } from '@gateway/contracts';
import type { Logger } from '@gateway/observability';
import type { AdmissionStore, HoldRecord } from '@gateway/redis';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EdgeConfig } from '../tokens.js';
import { AbandonedRequests } from './abandoned-requests.service.js';

const LEASE_MS = 60_000;
const hold = {
  requestId: 'req_1',
  accountId: 'acct_1',
  keyId: 'key_1',
  amountNanoUsd: 7n,
  expiresAtMs: 9,
  about: { endpoint: 'chat.completions', model: 'm', priceVersion: 'm@1', admittedAtMs: 1 },
} as HoldRecord;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function setUp({ found = hold as HoldRecord | null, applied = true } = {}) {
  const events: UsageSettled[] = [];
  const store = {
    openHold: async () => found ?? undefined,
    settle: async (event: UsageSettled) => {
      events.push(event);
      return { applied };
    },
  } as unknown as AdmissionStore;
  const lines: string[] = [];
  const logger = { warn: (_fields: object, message: string) => void lines.push(message) } as unknown as Logger;
  return { requests: new AbandonedRequests(store, { leaseMs: LEASE_MS } as EdgeConfig, logger), events, lines };
}

describe('AbandonedRequests', () => {
  it('settles the request at zero', async () => {
    const { requests, events, lines } = setUp();
    await requests.settle(hold.accountId, hold.requestId);
    expect(events).toMatchObject([
      {
        requestId: 'req_1',
        accountId: 'acct_1',
        keyId: 'key_1',
        outcome: 'failed',
        costNanoUsd: '0',
        errorCode: 'worker_lost',
      },
    ]);
    expect(lines).toHaveLength(1);
  });

  it('does nothing for a request that has ended', async () => {
    const { requests, events } = setUp({ found: null });
    await requests.settle(hold.accountId, hold.requestId);
    expect(events).toEqual([]);
  });

  it('is silent if the request was settled meanwhile', async () => {
    const { requests, lines } = setUp({ applied: false });
    await requests.settle(hold.accountId, hold.requestId);
    expect(lines).toEqual([]);
  });

  it('is sure only a lease after its start, and after each failure of Redis', () => {
    const { requests } = setUp();
    expect(requests.provedInMs).toBe(LEASE_MS);
    jest.advanceTimersByTime(LEASE_MS);
    expect(requests.provedInMs).toBe(0);
    requests.noteRedisFailure();
    jest.advanceTimersByTime(1_000);
    expect(requests.provedInMs).toBe(LEASE_MS - 1_000);
  });
});
