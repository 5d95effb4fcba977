import type { AdmissionStore } from './admission-store.js';

/** What the ledger has of a customer beside the escrow. */
interface FreeBalance {
  readonly customerNanoUsd: bigint;
  /** Rises with every change of it. */
  readonly customerVersion: bigint;
}

/**
 * Shows customers what the ledger says now. The epoch is asked before the ledger: should a new life of Redis begin in
 * between, what was read before it is not shown in it.
 */
export async function mirrorReserve(
  store: AdmissionStore,
  accountId: string,
  read: () => Promise<FreeBalance | null>,
): Promise<void> {
  const epoch = await store.currentEpoch();
  if (epoch === null) return;
  const balance = await read();
  if (balance === null) return;
  const { customerNanoUsd: reserveNanoUsd, customerVersion: reserveVersion } = balance;
  await store.setReserve({ accountId, epoch, reserveNanoUsd, reserveVersion });
}
