import type { PriceVersion } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chooseHold, holdAmounts, outputWithin, quoteHold, type WorstCase } from './hold-range.js';

const price = { version: 'v', perMillion: { input_token: '0.3', output_token: '2.5' } } as PriceVersion;

const use = (input: number, most: number, least?: number): WorstCase => ({
  worstCase: { units: { input_token: input, output_token: most }, inputTokensTotal: input, isEstimated: true },
  ...(least !== undefined && { leastOutputTokens: least }),
});

const usd = (amount: number): bigint => BigInt(Math.round(amount * 1e9));

describe('the hold of a request', () => {
  it('with a cap of the client is one amount', () => {
    expect(holdAmounts(use(1_000, 100), price)).toEqual({ leastNanoUsd: 550_000n });
    expect(quoteHold(use(1_000, 100), price, 0n)).toMatchObject({
      heldNanoUsd: 550_000n,
      usage: use(1_000, 100).worstCase,
    });
    expect(quoteHold(use(1_000, 100), price, 0n)).not.toHaveProperty('outputCap');
  });

  it('without a cap is the maximum of the model, if a quarter of the balance pays for it', () => {
    const quote = quoteHold(use(1_000, 65_536, 4_096), price, usd(1));
    expect(quote.heldNanoUsd).toBe(164_140_000n);
    expect(quote).not.toHaveProperty('outputCap');
  });

  it('without a cap is what a quarter of the balance pays for, and the cap says so', () => {
    expect(quoteHold(use(0, 65_536, 4_096), price, usd(0.1))).toMatchObject({
      outputCap: 10_000,
      heldNanoUsd: usd(0.025),
    });
  });

  it('without a cap is never less than 4,096 tokens', () => {
    const quote = quoteHold(use(0, 65_536, 4_096), price, usd(0.001));
    expect(quote).toMatchObject({ outputCap: 4_096, heldNanoUsd: usd(0.01024), leastNanoUsd: usd(0.01024) });
  });

  it('loses no token by prices below a nano-dollar, which are rounded up', () => {
    const tiny = { ...price, perMillion: { input_token: '0.0003', output_token: '0.0007' } };
    expect(quoteHold(use(1, 65_536, 4_096), tiny, 0n)).toMatchObject({ outputCap: 4_096, heldNanoUsd: 2_868n });
  });

  it('covers its cap, which no larger one would be', () => {
    const tokens = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(tokens, tokens, fc.bigInt({ min: -usd(1), max: usd(50) }), (input, more, balance) => {
        const valid = use(input, 4_096 + more, 4_096);
        const { heldNanoUsd, outputCap = 4_096 + more, leastNanoUsd, range } = quoteHold(valid, price, balance);
        const costOf = (output: number): bigint => holdAmounts(use(input, output), price).leastNanoUsd;
        expect(costOf(outputCap)).toBeLessThanOrEqual(heldNanoUsd);
        if (outputCap < 4_096 + more) expect(costOf(outputCap + 1)).toBeGreaterThan(heldNanoUsd - 1n);
        expect(heldNanoUsd).toBeGreaterThanOrEqual(leastNanoUsd);
        expect(heldNanoUsd).toBeLessThanOrEqual(range?.mostNanoUsd ?? 0n);
        if (heldNanoUsd > leastNanoUsd) expect(heldNanoUsd).toBeLessThanOrEqual(balance);
      }),
    );
  });

  it('of a free output needs no cap', () => {
    const free = { ...price, perMillion: { input_token: '1', output_token: '0' } };
    expect(quoteHold(use(10, 65_536, 4_096), free, 0n)).not.toHaveProperty('outputCap');
    expect(chooseHold(holdAmounts(use(10, 65_536, 4_096), free), 0n)).toBe(10_000n);
  });
});

describe('the output that a cap of tokens leaves', () => {
  const hold = { least: 5_000, range: { fixed: 904, most: 70_000 } };

  it.each([
    ['a quarter of the room', 40_000n, 10_000],
    ['never less than the least', 1_000n, 4_096],
    ['the least also of a cap that is used up', -1n, 4_096],
    ['all of it, with room', 1_000_000n, undefined],
    ['all of it, without a cap', null, undefined],
  ])('is %s', (_what, room, output) => {
    expect(outputWithin(hold, room)).toBe(output);
  });
});
