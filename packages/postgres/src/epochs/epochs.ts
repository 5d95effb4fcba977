import type { Database } from '../database.js';

/** The life of Redis that the ledger's escrow belongs to; null before the first. */
export async function activeEpoch({ prisma }: Database): Promise<bigint | null> {
  const [row] = await prisma.$queryRaw<{ epoch: bigint | null }[]>`SELECT active_epoch() AS epoch`;
  return row?.epoch ?? null;
}

/** A number for a new life of Redis. One that was never activated is given again. */
export async function nextEpoch({ prisma }: Database): Promise<bigint> {
  const [row] = await prisma.$queryRaw<{ epoch: bigint }[]>`SELECT next_epoch() AS epoch`;
  if (row === undefined) throw new Error('next_epoch() gave no row');
  return row.epoch;
}

/** As many accounts have their escrow back in one transaction: some tenths of a second. */
const RETURNED_AT_ONCE = 2_000;

/** What one transaction did on the way into an epoch. */
export interface EpochStep {
  /** `returning`: there is more to give back. `changed`: the epoch is the active one now. `active`: it had been before. */
  readonly outcome: 'returning' | 'changed' | 'active';
  /** Where the next step goes on. */
  readonly lastId: bigint;
  readonly accounts: bigint;
  readonly returnedNanoUsd: bigint;
}

/**
 * One step of the ledger into the epoch that Redis is in: some escrow goes back to its customers, and when there is none
 * the epoch is active. In between none is, and nothing is granted. Any process may take the next step.
 */
export async function followEpoch(
  { prisma }: Database,
  epoch: bigint,
  { afterId, limit }: { readonly afterId: bigint; readonly limit: number },
): Promise<EpochStep> {
  const [row] = await prisma.$queryRaw<
    { outcome: EpochStep['outcome']; last_id: bigint; accounts: bigint; returned_nano_usd: bigint }[]
  >`SELECT * FROM follow_epoch(${epoch}::bigint, ${afterId}::bigint, ${limit}::int)`;
  if (row === undefined) throw new Error('follow_epoch() gave no row');
  return {
    outcome: row.outcome,
    lastId: row.last_id,
    accounts: row.accounts,
    returnedNanoUsd: row.returned_nano_usd,
  };
}

export interface Activation {
  /** False: it was told to stop before the end. Whoever activates next goes on from there. */
  readonly isActive: boolean;
  /** False: somebody else made this epoch the active one. */
  readonly isChanged: boolean;
  /** How many accounts this call has given their escrow back. */
  readonly accounts: bigint;
  readonly returnedNanoUsd: bigint;
}

/** Makes the ledger follow Redis into this epoch: all escrow goes back to the customers, grants on their way are void. */
export async function activateEpoch(database: Database, epoch: bigint, signal?: AbortSignal): Promise<Activation> {
  let [afterId, accounts, returnedNanoUsd] = [0n, 0n, 0n];
  while (!signal?.aborted) {
    const step = await followEpoch(database, epoch, { afterId, limit: RETURNED_AT_ONCE });
    accounts += step.accounts;
    returnedNanoUsd += step.returnedNanoUsd;
    afterId = step.lastId;
    if (step.outcome !== 'returning')
      return { isActive: true, isChanged: step.outcome === 'changed', accounts, returnedNanoUsd };
  }
  return { isActive: false, isChanged: false, accounts, returnedNanoUsd };
}
