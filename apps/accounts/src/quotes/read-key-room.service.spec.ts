import { newKeyId, type SpendCap } from '@gateway/contracts';
import type { AdmissionStore, SpendingState } from '@gateway/redis';
import { describe, expect, it } from '@jest/globals';
import { ReadKeyRoom } from './read-key-room.service.js';

const cap: SpendCap = { spendingKeyId: newKeyId(), spentNanoUsd: '300', version: '2', capNanoUsd: '1000' };

const roomOf = (state: SpendingState): ReadKeyRoom =>
  new ReadKeyRoom({ readSpending: async () => state } as unknown as AdmissionStore);

describe('ReadKeyRoom', () => {
  it('subtracts what is booked, settled and held', async () => {
    const room = roomOf({ spentNanoUsd: 400n, unsettledNanoUsd: 50n, heldNanoUsd: 100n });
    expect(await room.read(cap)).toBe(450n);
  });

  it('counts the booked amount of the record where Redis has none', async () => {
    const room = roomOf({ spentNanoUsd: 0n, unsettledNanoUsd: 0n, heldNanoUsd: 800n });
    expect(await room.read(cap)).toBe(-100n);
  });

  it('leaves a key without a cap its balance', async () => {
    const room = roomOf({ spentNanoUsd: 0n, unsettledNanoUsd: 0n, heldNanoUsd: 0n });
    expect(await room.read(null)).toBeNull();
  });
});
