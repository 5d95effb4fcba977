import { buildUsageSettled, type ClaimedRequest, type DurableRequest, MAX_SHORT_BYTES } from '@gateway/contracts';
import { createLogger } from '@gateway/observability';
import type { NewClaim, RequestDecision, RequestStore } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import { ticketOf } from '../test-support/fakes.js';
import type { EndStoredRequest } from './end-stored-request.service.js';
import { StoredRequests } from './stored-requests.service.js';

/** A worker whose claims fail with these errors in turn, and then succeed. */
function setUp(failures: readonly Error[] = [], { attempts = 1, ageMs = 0 } = {}) {
  const owners: string[] = [];
  const written: string[] = [];
  const decisions: RequestDecision[] = [];
  const left = [...failures];
  const requests = {
    claim: async ({ owner, ticket }: NewClaim) => {
      owners.push(owner);
      const failure = left.shift();
      if (failure !== undefined) throw failure;
      return { request: { requestId: ticket.requestId, ticket, attempts } as DurableRequest, body, ageMs };
    },
  } as unknown as RequestStore;
  const stored = new StoredRequests(
    requests,
    { read: () => Promise.reject(new Error('no object')), put: async (key: string) => void written.push(key) } as never,
    { renew: () => Promise.reject(new Error('no hold')) } as never,
    {
      publishChange: () => undefined,
      end: async (request: DurableRequest, _claim: unknown, decision: RequestDecision) => {
        decisions.push(decision);
        return request;
      },
    } as unknown as EndStoredRequest,
    { reach: () => undefined },
    createLogger({ service: 'test', level: 'silent' }),
  );
  return { owners, written, decisions, claim: (ticket = ticketOf({ bodyIn: 'row' })) => stored.claim(ticket) };
}

const body = Buffer.from('{}');

describe('a claim', () => {
  it('is repeated by the same owner when its reply is lost', async () => {
    const { owners, claim } = setUp([new Error('Query read timeout')]);
    const claimed = await claim();
    expect(claimed).toMatchObject({ requestId: 'req_1' });
    expect(owners).toHaveLength(2);
    expect(new Set(owners).size).toBe(1);
  });

  it('goes on after a lost reply while PostgreSQL refuses connections', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' });
    const { owners, claim } = setUp([new Error('Connection terminated unexpectedly'), refused]);
    expect(await claim()).toMatchObject({ requestId: 'req_1' });
    expect(new Set(owners).size).toBe(1);
  });

  it('that was not sent goes back to the queue at once', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { syscall: 'connect' });
    const { owners, claim } = setUp([refused]);
    expect(await claim()).toBe('unreachable');
    expect(owners).toHaveLength(1);
  });
});

describe('a run', () => {
  const ticket = ticketOf();
  const settlement = buildUsageSettled(
    { ...ticket, priceVersion: 'm@2026-01-01' },
    { outcome: 'completed', costNanoUsd: 5n, settledAtMs: 1 },
  );
  const responseOf = async (attempts: number, bytes: number) => {
    const { claim, written, decisions } = setUp([], { attempts });
    const run = (await claim()) as ClaimedRequest;
    await run.keep({ settlement, whole: { head: { status: 200, headers: {} }, body: Buffer.alloc(bytes) } });
    return { written, attempt: decisions[0]?.response?.attempt };
  };

  it('writes an object of its own: a frozen one replaces no response of a later one', async () => {
    const long = MAX_SHORT_BYTES + 1;
    expect(await responseOf(1, long)).toEqual({ written: ['requests/req_1/response'], attempt: undefined });
    expect(await responseOf(2, long)).toEqual({ written: ['requests/req_1/response-2'], attempt: 2 });
    expect(await responseOf(2, 1)).toEqual({ written: [], attempt: undefined });
  });

  it('has what is left of the time of its request, by the clock of PostgreSQL', async () => {
    const { claim } = setUp([], { ageMs: 45_000 });
    const kept = { ...ticket, bodyIn: 'row' } as const;
    const { deadlineMs, admittedAtMs } = kept;
    expect((await claim(kept)) as ClaimedRequest).toMatchObject({ leftMs: deadlineMs - admittedAtMs - 45_000 });
  });
});
