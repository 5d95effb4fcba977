import type { SpendCap } from '@gateway/contracts';
import type { AdmissionStore } from '@gateway/redis';
import { Inject, Injectable } from '@nestjs/common';
import { ADMISSION_STORE } from '../tokens.js';

const larger = (left: bigint, right: bigint): bigint => (left > right ? left : right);

/** Reads what the spend cap of a key leaves, as admission counts it: booked, settled and held amounts. */
@Injectable()
export class ReadKeyRoom {
  constructor(@Inject(ADMISSION_STORE) private readonly store: AdmissionStore) {}

  /** Nano-USD, below zero once the cap is exceeded; null without a cap. */
  async read(cap: SpendCap | null): Promise<bigint | null> {
    if (cap === null) return null;
    const { spentNanoUsd, unsettledNanoUsd, heldNanoUsd } = await this.store.readSpending(cap.spendingKeyId);
    // Redis may have lost the booked amount; the key's record has it too.
    const booked = larger(spentNanoUsd, BigInt(cap.spentNanoUsd));
    return BigInt(cap.capNanoUsd) - booked - unsettledNanoUsd - heldNanoUsd;
  }
}
