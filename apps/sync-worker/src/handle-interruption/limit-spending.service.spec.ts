import type { GatewayError } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { fakeLogger, ticketOf } from '../test-support/fakes.js';
import { LimitSpending } from './limit-spending.service.js';

function setUp(headroom: () => Promise<bigint | null>) {
  let reads = 0;
  const ended: string[] = [];
  const { logger, lines } = fakeLogger();
  const store = {
    headroom: () => {
      reads += 1;
      return headroom();
    },
  };
  const limit = new LimitSpending(store, logger);
  const end = ({ code }: GatewayError): void => void ended.push(code);
  const check = (costNanoUsd: bigint, isTest?: true) =>
    limit.check(ticketOf({ holdNanoUsd: '100', ...(isTest && { isTest }) }), costNanoUsd, end);
  return { check, ended, lines, reads: () => reads };
}

describe('LimitSpending', () => {
  it('reads nothing while the hold covers the stream, or for a test key', async () => {
    const { check, reads } = setUp(async () => 0n);
    await check(100n);
    await check(1_000n, true);
    expect(reads()).toBe(0);
  });

  it.each([
    [149n, []],
    [150n, []],
    [151n, ['insufficient_quota']],
  ])('ends a stream of %d that may use 100 and 50 more: %j', async (cost, ended) => {
    const test = setUp(async () => 50n);
    await test.check(cost);
    expect(test.ended).toEqual(ended);
  });

  it('ends nothing that has no hold any more', async () => {
    const test = setUp(async () => null);
    await test.check(1_000n);
    expect(test.ended).toEqual([]);
  });

  it('reads once at a time, and continues if Redis is away', async () => {
    const test = setUp(() => Promise.reject(new Error('away')));
    await Promise.all([test.check(200n), test.check(200n)]);
    expect([test.reads(), test.ended, test.lines.map(([level]) => level)]).toEqual([1, [], ['warn']]);
    await test.check(200n);
    expect(test.reads()).toBe(2);
  });
});
