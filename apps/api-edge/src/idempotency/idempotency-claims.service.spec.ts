import { newAccountId, newRequestId, type RequestId } from '@gateway/contracts';
import { createMetrics, type Logger } from '@gateway/observability';
import type { ResponseStore } from '@gateway/postgres';
import type { ClaimOutcome, CompleteOutcome, IdempotencyStore, StoredResponse } from '@gateway/redis';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { ValidRequest } from '../edge-request.js';
import { edgeMetrics } from '../observability/metrics.js';
import type { EdgeConfig } from '../tokens.js';
import type { AbandonedRequests } from './abandoned-requests.service.js';
import { IdempotencyClaims } from './idempotency-claims.service.js';
import { ResponseSpill } from './response-spill.service.js';

type Body = StoredResponse['body'] | undefined;

const MEGABYTE = 1024 * 1024;
const LEASE_MS = 3_000;
const logger = { warn: () => undefined } as unknown as Logger;
const completedClaim = (requestId: RequestId, body: StoredResponse['body']): ClaimOutcome => ({
  outcome: 'answered',
  requestId,
  balanceNanoUsd: 7n,
  answer: { status: 200, contentType: 'a/b', body },
});

/** Postgres, as far as it stores responses. */
class ResponsesInMemory implements ResponseStore {
  readonly chunks = new Map<string, Buffer>();
  isAway = false;

  async putChunk({ requestId, number, bytes }: Parameters<ResponseStore['putChunk']>[0]): Promise<void> {
    this.#failIfAway();
    this.chunks.set(`${requestId} ${number}`, bytes);
  }

  async storedBytes(requestId: RequestId): Promise<number> {
    this.#failIfAway();
    const own = [...this.chunks].filter(([name]) => name.startsWith(requestId));
    return own.reduce((sum, [, { length }]) => sum + length, 0);
  }

  async readChunk(requestId: RequestId, number: number): Promise<Buffer | null> {
    return this.chunks.get(`${requestId} ${number}`) ?? null;
  }

  async delete(requestId: RequestId): Promise<void> {
    for (const name of this.chunks.keys()) if (name.startsWith(requestId)) this.chunks.delete(name);
  }

  async close(): Promise<void> {}

  #failIfAway(): void {
    if (this.isAway) throw new Error('Postgres is away');
  }
}

interface StoreScript {
  /** In turn; the last one repeats. */
  readonly claim?: ClaimOutcome | Error | readonly ClaimOutcome[];
  readonly provedInMs?: number;
  readonly complete?: readonly CompleteOutcome[];
  /** In turn; then it succeeds. */
  readonly release?: readonly Error[];
}

/** One request with a key, whose store replies as scripted. */
function oneRequest({ claim = { outcome: 'began' }, complete = [], release = [], provedInMs = 0 }: StoreScript) {
  const replies = [claim].flat() as (ClaimOutcome | Error)[];
  const offered: Body[] = [];
  const outcomes = [...complete];
  const calls: string[] = [];
  const failures = [...release];
  const released = Promise.withResolvers<void>();
  const store = {
    claim: async () => {
      const reply = replies.length > 1 ? replies.shift() : replies[0];
      if (reply instanceof Error) throw reply;
      return reply;
    },
    complete: async (_claim: unknown, { body }: StoredResponse<Body>) => {
      offered.push(body);
      return outcomes.shift();
    },
    release: async () => {
      calls.push('release');
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      released.resolve();
    },
    renew: async () => void calls.push('renew'),
  };
  const abandoned = {
    provedInMs,
    noteRedisFailure: () => void calls.push('note failure'),
    settle: async (_accountId: string, id: RequestId) => void calls.push(`settle ${id}`),
  };
  const responses = new ResponsesInMemory();
  const claims = new IdempotencyClaims(
    store as unknown as IdempotencyStore,
    new ResponseSpill(responses, logger),
    abandoned as unknown as AbandonedRequests,
    { idempotencyLeaseMs: LEASE_MS } as EdgeConfig,
    edgeMetrics(createMetrics('test')),
    logger,
  );
  const requestId = newRequestId();
  const key = { accountId: newAccountId(), isTest: false };
  const valid = {
    requestId,
    caller: { key },
    endpoint: 'chat.completions',
    model: { id: 'gm-2.5-pro' },
    body: Buffer.from('{}'),
  };
  const balances: (bigint | null)[] = [];
  const run = () => claims.claim(valid as unknown as ValidRequest, 'key', (balance) => balances.push(balance));
  return { balances, calls, released: released.promise, claims, offered, outcomes, requestId, responses, run };
}

async function recordingOf(request: ReturnType<typeof oneRequest>) {
  const claim = await request.run();
  if (claim.isReplay) throw new Error('the key has a response already');
  return claim.recording;
}

async function respond(request: ReturnType<typeof oneRequest>, bytes: number): Promise<void> {
  const recording = await recordingOf(request);
  recording.head({ status: 200, headers: { 'content-type': 'a/b' } });
  for (let sent = 0; sent < bytes; sent += MEGABYTE) {
    recording.data(Buffer.alloc(Math.min(MEGABYTE, bytes - sent), 'x'));
  }
  await recording.end(undefined);
  expect(request.outcomes).toEqual([]);
}

describe('a response under an idempotency key', () => {
  it('is stored in Redis if it is small and there is room', async () => {
    const request = oneRequest({ complete: ['kept'] });
    await respond(request, 10);
    expect([request.offered, request.responses.chunks.size]).toEqual([[Buffer.alloc(10, 'x')], 0]);
  });

  it('is stored in Postgres if the account has used its share of Redis', async () => {
    const request = oneRequest({ complete: ['full', 'kept'] });
    await respond(request, 10);
    expect(request.offered).toEqual([Buffer.alloc(10, 'x'), { spilledBytes: 10 }]);
    expect([...request.responses.chunks]).toEqual([[`${request.requestId} 0`, Buffer.alloc(10, 'x')]]);
  });

  it('is spilled to Postgres while it is sent if it is large, and Redis records its length', async () => {
    const request = oneRequest({ complete: ['kept'] });
    await respond(request, 3 * MEGABYTE);
    expect(request.offered).toEqual([{ spilledBytes: 3 * MEGABYTE }]);
    expect(await request.responses.storedBytes(request.requestId)).toBe(3 * MEGABYTE);
  });

  it.each([
    ['the account has used all its shares', ['full', 'not_kept'] as const],
    ['another request has claimed the key meanwhile', ['lost'] as const],
  ])('leaves nothing in Postgres if %s', async (_why, complete) => {
    const request = oneRequest({ complete: [...complete] });
    await respond(request, 3 * MEGABYTE);
    expect(request.responses.chunks.size).toBe(0);
    expect(request.offered.slice(1)).toEqual(complete.length === 2 ? [undefined] : []);
  });

  it('is recorded without its body if Postgres is away', async () => {
    for (const bytes of [10, 3 * MEGABYTE]) {
      const request = oneRequest({ complete: bytes === 10 ? ['full', 'not_kept'] : ['not_kept'] });
      request.responses.isAway = true;
      await respond(request, bytes);
      expect(request.offered.at(-1)).toBeUndefined();
    }
  });
});

describe('a replayed response', () => {
  it('comes from Redis in one buffer', async () => {
    const body = Buffer.from('words');
    const earlier = newRequestId();
    const { run, balances } = oneRequest({ claim: completedClaim(earlier, body) });
    expect(await run()).toEqual({
      isReplay: true,
      requestId: earlier,
      response: { status: 200, contentType: 'a/b', bytes: 5, body },
    });
    expect(balances).toEqual([7n]);
  });

  it('comes from Postgres chunk by chunk', async () => {
    const earlier = newRequestId();
    const request = oneRequest({ claim: completedClaim(earlier, { spilledBytes: 5 }) });
    request.responses.chunks.set(`${earlier} 0`, Buffer.from('wor')).set(`${earlier} 1`, Buffer.from('ds'));
    const claim = await request.run();
    if (!claim.isReplay || Buffer.isBuffer(claim.response.body)) throw new Error('it is not from Postgres');
    expect([claim.response.bytes, Buffer.concat(await claim.response.body.toArray()).toString()]).toEqual([5, 'words']);
  });

  it('is lost if a chunk is missing, and unavailable while Postgres is away', async () => {
    const earlier = newRequestId();
    const request = oneRequest({ claim: completedClaim(earlier, { spilledBytes: 5 }) });
    request.responses.chunks.set(`${earlier} 0`, Buffer.from('wor'));
    await expect(request.run()).rejects.toMatchObject({ code: 'idempotency_answer_lost' });
    request.responses.isAway = true;
    await expect(request.run()).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

describe('a claim', () => {
  const earlier = newRequestId();

  it.each([
    [{ outcome: 'conflict', balanceNanoUsd: 1n }, 'idempotency_conflict'],
    [{ outcome: 'in_progress', balanceNanoUsd: null, freeInMs: null }, 'idempotency_in_progress'],
    [{ outcome: 'charged', requestId: earlier, balanceNanoUsd: 1n }, 'idempotency_answer_lost'],
    [{ outcome: 'not_kept', requestId: earlier, balanceNanoUsd: 1n }, 'idempotency_answer_lost'],
  ] as const)('is refused for %j, and reports the balance', async (outcome, code) => {
    const request = oneRequest({ claim: outcome });
    await expect(request.run()).rejects.toMatchObject({ code });
    expect(request.balances).toEqual([outcome.balanceNanoUsd]);
  });

  it.each([
    [null, 1_000],
    [42_500, 42_500],
  ])(
    'of a running request says in Retry-After how long the key is taken: %p ms without an edge',
    async (freeInMs, retryAfterMs) => {
      const request = oneRequest({ claim: { outcome: 'in_progress', balanceNanoUsd: null, freeInMs } });
      await expect(request.run()).rejects.toMatchObject({ code: 'idempotency_in_progress', details: { retryAfterMs } });
    },
  );

  it('settles an abandoned request before it takes its key over', async () => {
    const abandoned = { outcome: 'abandoned', requestId: earlier, balanceNanoUsd: 1n } as const;
    const request = oneRequest({ claim: [abandoned, { outcome: 'began' }] });
    expect(await request.run()).toMatchObject({ isReplay: false });
    expect(request.calls).toEqual([`settle ${earlier}`]);
  });

  it('leaves an abandoned request alone while Redis may have lost its renewals', async () => {
    const abandoned = { outcome: 'abandoned', requestId: earlier, balanceNanoUsd: 1n } as const;
    const request = oneRequest({ claim: abandoned, provedInMs: 7_000 });
    await expect(request.run()).rejects.toMatchObject({
      code: 'idempotency_in_progress',
      details: { retryAfterMs: 7_000 },
    });
    expect(request.calls).toEqual([]);
  });

  it('that was charged after all is not run again', async () => {
    const abandoned = { outcome: 'abandoned', requestId: earlier, balanceNanoUsd: 1n } as const;
    const request = oneRequest({ claim: [abandoned, { outcome: 'charged', requestId: earlier, balanceNanoUsd: 1n }] });
    await expect(request.run()).rejects.toMatchObject({ code: 'idempotency_answer_lost' });
  });

  it('is unavailable while Redis is away, and reports no balance', async () => {
    const request = oneRequest({ claim: new Error('Redis is away') });
    await expect(request.run()).rejects.toMatchObject({
      code: 'service_unavailable',
      details: { retryAfterMs: 1_000 },
    });
    // Redis may have recorded it: a retry with the key must not find a claim that nothing runs.
    expect([request.balances, request.calls]).toEqual([[], ['release', 'note failure']]);
  });

  it('that was never sent is not released', async () => {
    const request = oneRequest({ claim: new Error("Stream isn't writeable and enableOfflineQueue options is false") });
    await expect(request.run()).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(request.calls).toEqual(['note failure']);
  });

  it('is released, also while Redis is away', async () => {
    const request = oneRequest({ release: [new Error('Redis is away')] });
    const recording = await recordingOf(request);
    await recording.release();
    expect(request.calls).toEqual(['release']);
    await request.released;
    expect(request.calls).toEqual(['release', 'release']);
  });

  describe('is renewed', () => {
    afterEach(() => {
      jest.useRealTimers();
    });

    it('three times per lease until its response is stored', async () => {
      const request = oneRequest({ complete: ['kept'] });
      const recording = await recordingOf(request);
      jest.useFakeTimers();
      request.claims.onModuleInit();
      jest.advanceTimersByTime(LEASE_MS);
      expect(request.calls).toEqual(['renew', 'renew', 'renew']);
      await recording.end(undefined);
      jest.advanceTimersByTime(LEASE_MS);
      expect(request.calls).toHaveLength(3);
      request.claims.onApplicationShutdown();
      expect(jest.getTimerCount()).toBe(0);
    });
  });
});
