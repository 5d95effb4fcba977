import { newRequestId } from '@gateway/contracts';
import type { AdmissionStore } from '@gateway/redis';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { admittedRequest, REQUEST_ID } from '../test-support/edge-fakes.js';
import type { EdgeConfig } from '../tokens.js';
import type { RunningResponse } from './running-response.js';
import { RunningResponses } from './running-responses.service.js';

const LEASE_MS = 30_000;

/** A running response that records what is called on it. */
function fakeResponse(requestId = newRequestId()) {
  const calls: string[] = [];
  const response = {
    request: admittedRequest({ requestId }),
    startedAtMs: Date.now(),
    tick: () => void calls.push('tick'),
    abortForDrain: () => void calls.push('cut'),
  } as unknown as RunningResponse;
  return { calls, response };
}

function responses({ isRedisAway = false } = {}) {
  const renewals: (readonly [readonly object[], number, number])[] = [];
  const store = {
    renew: async (leases: readonly object[], leaseMs: number, holdMs: number) => {
      renewals.push([leases, leaseMs, holdMs]);
      if (isRedisAway) throw new Error('Redis is away');
    },
  } as unknown as AdmissionStore;
  const running = new RunningResponses(store, { leaseMs: LEASE_MS } as EdgeConfig);
  running.onModuleInit();
  return { renewals, running };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the timer of running responses', () => {
  it('ticks each response once a second until it is removed', () => {
    const { running } = responses();
    const { calls, response } = fakeResponse();
    running.add(response);
    jest.advanceTimersByTime(2_000);
    running.remove(response);
    jest.advanceTimersByTime(2_000);
    expect([calls, running.count]).toEqual([['tick', 'tick'], 0]);
    running.onApplicationShutdown();
    expect(jest.getTimerCount()).toBe(0);
  });

  it.each([false, true])(
    'renews leases and holds three times per lease, also if Redis is away: %p',
    async (isRedisAway) => {
      const { renewals, running } = responses({ isRedisAway });
      const { response } = fakeResponse(REQUEST_ID);
      running.add(response);
      await jest.advanceTimersByTimeAsync(LEASE_MS);
      const lease = { requestId: REQUEST_ID, accountId: 'acct_a', keyId: 'key_a' };
      expect(renewals).toEqual(Array(3).fill([[lease], LEASE_MS, 720_000]));
    },
  );

  it('leaves a young response to the lease of its admission', () => {
    const { renewals, running } = responses();
    jest.advanceTimersByTime(LEASE_MS / 3 - 1_000);
    running.add(fakeResponse().response);
    jest.advanceTimersByTime(1_000);
    expect(renewals).toEqual([]);
  });
});

describe('a drain', () => {
  it('ends at once if nothing runs', async () => {
    await expect(responses().running.drain(1_000)).resolves.toBeUndefined();
  });

  it('ends with the last response, and cuts nothing', async () => {
    const { running } = responses();
    const [first, second] = [fakeResponse(), fakeResponse()];
    running.add(first.response);
    running.add(second.response);
    let isDrained = false;
    const drained = running.drain(1_000_000).then(() => {
      isDrained = true;
    });
    running.remove(first.response);
    await jest.advanceTimersByTimeAsync(1);
    expect(isDrained).toBe(false);
    running.remove(second.response);
    await drained;
    expect([...first.calls, ...second.calls]).toEqual([]);
  });

  it('cuts what still runs after the grace time', async () => {
    const { running } = responses();
    const { calls, response } = fakeResponse();
    running.add(response);
    const drained = running.drain(500);
    await jest.advanceTimersByTimeAsync(500);
    await drained;
    expect(calls).toEqual(['cut']);
  });
});
