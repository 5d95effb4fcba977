import type { AdmissionOutcome } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { admitWithBlocks } from './admit-with-blocks.js';

const rate = { limit: 0, remaining: 0, resetMs: 0 };
const admitted: AdmissionOutcome = { outcome: 'admitted', rate, holdNanoUsd: 5n, heldTokens: 0 };
const short = (missingNanoUsd: bigint): AdmissionOutcome => ({
  outcome: 'funds',
  rate,
  balanceNanoUsd: null,
  missingNanoUsd,
});

/** Resolves to these values in order, then repeats the last. */
const inOrder =
  <Value>(...values: readonly Value[]) =>
  async (): Promise<Value> =>
    (values.length > 1 ? (values as Value[]).shift() : values[0]) as Value;

describe('admitWithBlocks', () => {
  it('requests the missing amount, and again what is still missing', async () => {
    const requested: bigint[] = [];
    const nextBlock = async (missing: bigint) => requested.push(missing) > 0;
    expect(await admitWithBlocks(inOrder(short(5n), short(2n), admitted), nextBlock)).toBe(admitted);
    expect(requested).toEqual([5n, 2n]);
  });

  it('accepts a refusal only if no less is missing afterwards', async () => {
    expect(await admitWithBlocks(inOrder(short(5n), short(5n)), inOrder(false))).toEqual(short(5n));
    expect(await admitWithBlocks(inOrder(short(5n), short(9n)), inOrder(false))).toEqual(short(9n));
  });

  it('admits a request that another request’s block pays for', async () => {
    expect(await admitWithBlocks(inOrder(short(5n), admitted), inOrder(false))).toBe(admitted);
    expect(await admitWithBlocks(inOrder(short(5n), short(2n), admitted), inOrder(false, true))).toBe(admitted);
  });

  it('takes what Redis has once the ledger has refused the wanted amount, and keeps to it', async () => {
    const takesLess: boolean[] = [];
    const outcomes = [short(50n), short(3n), admitted];
    const admit = async (less: boolean) => outcomes[takesLess.push(less) - 1] ?? admitted;
    expect(await admitWithBlocks(admit, async (missing) => missing < 10n)).toBe(admitted);
    expect(takesLess).toEqual([false, true, true]);
  });

  it('gives up if other requests spend every block', async () => {
    expect(await admitWithBlocks(inOrder(short(5n)), inOrder(true))).toBeNull();
  });
});
