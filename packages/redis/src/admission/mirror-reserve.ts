import type { AdmissionStore } from './admission-store.js';

/** The customer's balance in the ledger, without escrow. */
interface FreeBalance {
  readonly customerNanoUsd: bigint;
  /** Rises with each change of the balance. */
  readonly customerVersion: bigint;
}

/**
 * Copies the customer's balance from the ledger to Redis. The epoch is read first: a balance read before a new epoch began
 * is not stored in it.
 */
export async function mirrorReserve(
  store: AdmissionStore,
  accountId: string,
  read: () => Promise<FreeBalance | null>,
): Promise<void> {
  const epoch = await store.currentEpoch(accountId);
  if (epoch === null) return;
  const balance = await read();
  if (balance === null) return;
  const { customerNanoUsd: reserveNanoUsd, customerVersion: reserveVersion } = balance;
  await store.setReserve({ accountId, epoch, reserveNanoUsd, reserveVersion });
}
