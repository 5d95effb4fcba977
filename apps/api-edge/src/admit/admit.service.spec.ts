import type { AdmissionOutcome, AdmissionRequest, RateState } from '@gateway/contracts';
import type { AdmissionStore } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import type { AdmittedRequest } from '../edge-request.js';
import { usage, validRequest } from '../test-support/edge-fakes.js';
import { keyOf } from '../test-support/task-reader-in-memory.js';
import type { EdgeConfig } from '../tokens.js';
import { Admit } from './admit.service.js';
import { Escrow } from './escrow.service.js';

const rate: RateState = { limit: 60, remaining: 59, resetMs: 1_000 };
const admitted: AdmissionOutcome = { outcome: 'admitted', rate, holdNanoUsd: 18_000_000n, heldTokens: 0 };
const short = (missingNanoUsd: bigint): AdmissionOutcome => ({
  outcome: 'funds',
  rate,
  balanceNanoUsd: 3n,
  missingNanoUsd,
});
const refused = (outcome: 'concurrency' | 'rate'): AdmissionOutcome => ({
  outcome,
  rate,
  balanceNanoUsd: 3n,
  scope: 'account',
  retryAfterMs: 700,
});

/** Admission whose store and billing reply in the given order. The last reply repeats. */
function admission(outcomes: readonly (AdmissionOutcome | Error)[], blocks: readonly (boolean | Error)[] = []) {
  const requests: AdmissionRequest[] = [];
  const refills: object[] = [];
  const store = {
    admit: async (request: AdmissionRequest) => {
      requests.push(request);
      const outcome = outcomes[Math.min(requests.length, outcomes.length) - 1];
      if (outcome === undefined || outcome instanceof Error) throw outcome;
      return outcome;
    },
  } as unknown as AdmissionStore;
  const escrow = new Escrow({
    post: async (_path, body) => {
      refills.push(body);
      const block = blocks[Math.min(refills.length, blocks.length) - 1];
      if (block instanceof Error) throw block;
      return block === true ? { granted: true, amountNanoUsd: '9' } : { granted: false, availableNanoUsd: '0' };
    },
  });
  const admit = new Admit(
    store,
    { syncDeadlineMs: 600_000, defaultAccountLimits: { requestsPerMinute: 600, concurrency: 50 } } as EdgeConfig,
    escrow,
  );
  const reported = { rates: [] as RateState[], balances: [] as (bigint | null)[], unknown: [] as AdmittedRequest[] };
  const run = (valid = validRequest({ worstCase: usage({ input_token: 1_000, output_token: 1_000 }) })) =>
    admit.admit(valid, {
      onRate: (state) => reported.rates.push(state),
      onRefused: (balance) => reported.balances.push(balance),
      onOutcomeUnknown: (request) => reported.unknown.push(request),
    });
  return { reported, refills, requests, run };
}

describe('an admitted request', () => {
  it('holds the cost of its worst case until after its deadline, and reports the rate', async () => {
    const { reported, refills, requests, run } = admission([admitted]);
    const request = await run();
    expect(request.holdNanoUsd).toBeGreaterThan(0n);
    expect(request.deadlineMs).toBe(request.admittedAtMs + 600_000);
    expect(request.rate).toBe(rate);
    expect(requests).toMatchObject([
      {
        holdNanoUsd: request.holdNanoUsd,
        isFree: false,
        accountLimits: { requestsPerMinute: 0, concurrency: 0 },
        keyLimits: { requestsPerMinute: 0, concurrency: 0 },
        holdMs: 720_000,
        about: { endpoint: 'chat.completions', model: 'cl-sonnet-4-6', priceVersion: request.price.version },
      },
    ]);
    expect(reported).toEqual({ rates: [rate], balances: [], unknown: [] });
    expect(refills).toEqual([]);
  });

  it('passes the spend cap of its key on', async () => {
    const spendCap = { capNanoUsd: '10', period: 'total' } as never;
    const { requests, run } = admission([admitted]);
    await run(validRequest({ caller: { key: keyOf({ spendCap }) } }));
    expect(requests).toMatchObject([{ spendCap }]);
  });

  it('holds nothing and has no cap for a test key', async () => {
    const spendCap = { capNanoUsd: '10', period: 'total' } as never;
    const { requests, run } = admission([{ ...admitted, holdNanoUsd: 0n }]);
    const valid = validRequest({
      caller: { key: keyOf({ isTest: true, spendCap }) },
      worstCase: usage({ output_token: 128_000 }),
      leastOutputTokens: 4_096,
    });
    const request = await run(valid);
    expect(request).toMatchObject({ holdNanoUsd: 0n });
    expect(requests).toMatchObject([{ isFree: true, holdNanoUsd: 0n }]);
    for (const field of ['spendCap', 'holdRange']) expect(requests[0]).not.toHaveProperty(field);
    expect(request).not.toHaveProperty('outputCap');
  });
});

describe('an admitted request without an output cap', () => {
  const uncapped = validRequest({ worstCase: usage({ output_token: 128_000 }), leastOutputTokens: 4_096 });

  it('is capped at what its hold pays for, and reports the cap', async () => {
    const { requests, run } = admission([{ ...admitted, holdNanoUsd: 150_000_000n }]);
    expect(await run(uncapped)).toMatchObject({
      holdNanoUsd: 150_000_000n,
      outputCap: 10_000,
      changes: { filled: { max_completion_tokens: '10000' } },
    });
    const holdRange = { fixedNanoUsd: 0n, mostNanoUsd: 1_920_000_000n };
    expect(requests).toMatchObject([{ holdNanoUsd: 61_440_000n, holdRange }]);
  });

  it.each([
    ['completions', 'max_tokens'],
    ['responses', 'max_output_tokens'],
    ['models.generate_content', 'generationConfig.maxOutputTokens'],
    ['models.stream_generate_content', 'generationConfig.maxOutputTokens'],
    ['interactions', 'generation_config.max_output_tokens'],
  ] as const)('reports it on %s as %s', async (endpoint, name) => {
    const { run } = admission([{ ...admitted, holdNanoUsd: 150_000_000n }]);
    expect(await run({ ...uncapped, endpoint })).toMatchObject({ changes: { filled: { [name]: '10000' } } });
  });

  it('is not capped if the hold pays for the maximum of the model', async () => {
    const { run } = admission([{ ...admitted, holdNanoUsd: 1_920_000_000n }]);
    const request = await run(uncapped);
    expect(request).not.toHaveProperty('outputCap');
    expect(request).not.toHaveProperty('changes');
  });
});

describe('a refused request', () => {
  it.each([
    ['concurrency', refused('concurrency'), 'rate_limit_exceeded', 700],
    ['rate', refused('rate'), 'rate_limit_exceeded', 700],
    [
      'spend cap',
      { outcome: 'spend_cap', rate, balanceNanoUsd: 3n, takenNanoUsd: 1n } as AdmissionOutcome,
      'insufficient_balance',
      undefined,
    ],
    ['debt', { outcome: 'debt', rate, balanceNanoUsd: 3n } as AdmissionOutcome, 'insufficient_balance', undefined],
  ])(
    'for %s reports rate and balance, and requests no block from billing',
    async (_what, outcome, code, retryAfterMs) => {
      const { reported, refills, requests, run } = admission([outcome]);
      await expect(run()).rejects.toMatchObject({ code, ...(retryAfterMs && { details: { retryAfterMs } }) });
      expect(reported).toEqual({ rates: [rate], balances: [3n], unknown: [] });
      expect([requests.length, refills.length]).toEqual([1, 0]);
    },
  );

  it('reports neither rate nor balance during a rebuild of Redis', async () => {
    const { reported, run } = admission([{ outcome: 'rebuilding' }]);
    await expect(run()).rejects.toMatchObject({ code: 'service_unavailable', details: { retryAfterMs: 1_000 } });
    expect(reported).toEqual({ rates: [], balances: [], unknown: [] });
  });

  it('reaches no store for a model without a price', async () => {
    const { requests, run } = admission([admitted]);
    const { model } = validRequest();
    await expect(run(validRequest({ model: { ...model, prices: [] } }))).rejects.toMatchObject({
      code: 'model_not_found',
      details: { param: 'model' },
    });
    expect(requests).toEqual([]);
  });
});

describe('a request that is short of balance', () => {
  it('is admitted after a refill', async () => {
    const { reported, refills, run } = admission([short(9n), short(9n), admitted], [true]);
    expect(await run()).toMatchObject({ rate });
    expect(refills).toEqual([{ accountId: 'acct_a', missingNanoUsd: '9' }]);
    expect(reported.balances).toEqual([]);
  });

  it('needs no refill if another request has refilled meanwhile', async () => {
    const { refills, run } = admission([short(9n), admitted]);
    await run();
    expect(refills).toEqual([]);
  });

  it('is refused with 402 only after the ledger has refused', async () => {
    const { reported, refills, run } = admission([short(9n)], [false]);
    await expect(run()).rejects.toMatchObject({ code: 'insufficient_balance' });
    expect([reported.balances, refills.length]).toEqual([[3n], 1]);
  });

  it('gets a 503 while billing is away: no 402 without the ledger', async () => {
    const away = new Error('billing is away');
    const { reported, run } = admission([short(9n)], [away]);
    await expect(run()).rejects.toBe(away);
    expect(reported.balances).toEqual([]);
  });

  it('gets a 503 if other requests use up every block', async () => {
    const { run } = admission([short(9n)], [true]);
    await expect(run()).rejects.toMatchObject({ code: 'service_unavailable', details: { retryAfterMs: 500 } });
  });
});

describe('while Redis is away', () => {
  it('refuses a request that never reached Redis, and settles nothing', async () => {
    const { reported, run } = admission([new Error("Stream isn't writeable and enableOfflineQueue options is false")]);
    await expect(run()).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(reported.unknown).toEqual([]);
  });

  it.each([
    ['the first admission', [new Error('Connection is closed.')]],
    ['an admission after a refill', [short(9n), short(9n), new Error('Connection is closed.')]],
  ])('%s without a reply is refused, and its possible hold is settled', async (_what, outcomes) => {
    const { reported, run } = admission(outcomes, [true]);
    await expect(run()).rejects.toMatchObject({ code: 'service_unavailable', details: { retryAfterMs: 1_000 } });
    expect(reported.unknown).toMatchObject([{ requestId: validRequest().requestId }]);
    expect(reported.unknown[0]?.holdNanoUsd).toBeGreaterThan(0n);
    expect([reported.rates, reported.balances]).toEqual([[], []]);
  });
});
