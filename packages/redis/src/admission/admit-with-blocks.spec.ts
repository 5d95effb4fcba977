import type { AdmissionOutcome } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { admitWithBlocks } from './admit-with-blocks.js';

const rate = { limit: 0, remaining: 0, resetMs: 0 };
const admitted: AdmissionOutcome = { outcome: 'admitted', rate };
const short = (missingNanoUsd: bigint): AdmissionOutcome => ({
  outcome: 'funds',
  rate,
  balanceNanoUsd: null,
  missingNanoUsd,
});

/** Answers in this order; the last one again and again. */
const inOrder =
  <Answer>(...answers: readonly Answer[]) =>
  async (): Promise<Answer> =>
    (answers.length > 1 ? (answers as Answer[]).shift() : answers[0]) as Answer;

describe('admitWithBlocks', () => {
  it('asks for what is missing, and again for what is still missing', async () => {
    const asked: bigint[] = [];
    const nextBlock = async (missing: bigint) => asked.push(missing) > 0;
    expect(await admitWithBlocks(inOrder(short(5n), short(2n), admitted), nextBlock)).toBe(admitted);
    expect(asked).toEqual([5n, 2n]);
  });

  it('takes a no for an answer only if as much is missing afterwards', async () => {
    expect(await admitWithBlocks(inOrder(short(5n), short(5n)), inOrder(false))).toEqual(short(5n));
    expect(await admitWithBlocks(inOrder(short(5n), short(9n)), inOrder(false))).toEqual(short(9n));
  });

  it('admits what a block pays for that somebody else had asked for', async () => {
    expect(await admitWithBlocks(inOrder(short(5n), admitted), inOrder(false))).toBe(admitted);
    expect(await admitWithBlocks(inOrder(short(5n), short(2n), admitted), inOrder(false, true))).toBe(admitted);
  });

  it('gives up where block after block goes to others', async () => {
    expect(await admitWithBlocks(inOrder(short(5n)), inOrder(true))).toBeNull();
  });
});
