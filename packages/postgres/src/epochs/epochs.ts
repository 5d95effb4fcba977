import type { Database } from '../database.js';

/** The epoch of Redis that the ledger's escrow belongs to; null: none is active. */
export async function activeEpoch({ prisma }: Database): Promise<bigint | null> {
  const [row] = await prisma.$queryRaw<{ epoch: bigint | null }[]>`SELECT active_epoch() AS epoch`;
  return row?.epoch ?? null;
}

/** The number for a new epoch of Redis. Returns a number again if it was never activated. */
export async function nextEpoch({ prisma }: Database): Promise<bigint> {
  const [row] = await prisma.$queryRaw<{ epoch: bigint }[]>`SELECT next_epoch() AS epoch`;
  if (row === undefined) throw new Error('next_epoch() returned no row');
  return row.epoch;
}

/** Accounts whose escrow one transaction returns: some tenths of a second. */
const MAX_ACCOUNTS = 2_000;

/** The result of one transaction of a change of epoch. */
export interface EpochStep {
  /** `returning`: call again. `changed`: the epoch is active now. `active`: it was active before. */
  readonly outcome: 'returning' | 'changed' | 'active';
  /** Pass it to the next step. */
  readonly lastId: bigint;
  readonly accounts: bigint;
  readonly returnedNanoUsd: bigint;
}

/**
 * Runs one step towards the epoch of Redis: returns a batch of escrow to its customers. The epoch becomes active when no
 * escrow is left. Until then no epoch is active, and the ledger grants nothing. Any process may run the next step.
 */
export async function followEpoch(
  { prisma }: Database,
  epoch: bigint,
  { afterId, limit }: { readonly afterId: bigint; readonly limit: number },
): Promise<EpochStep> {
  const [row] = await prisma.$queryRaw<
    { outcome: EpochStep['outcome']; last_id: bigint; accounts: bigint; returned_nano_usd: bigint }[]
  >`SELECT * FROM follow_epoch(${epoch}::bigint, ${afterId}::bigint, ${limit}::int)`;
  if (row === undefined) throw new Error('follow_epoch() returned no row');
  return {
    outcome: row.outcome,
    lastId: row.last_id,
    accounts: row.accounts,
    returnedNanoUsd: row.returned_nano_usd,
  };
}

export interface Activation {
  /** False: the caller stopped it. The next activation continues. */
  readonly isActive: boolean;
  /** False: another process activated this epoch. */
  readonly isChanged: boolean;
  /** Accounts whose escrow this call has returned. */
  readonly accounts: bigint;
  readonly returnedNanoUsd: bigint;
}

/** Lets the ledger follow Redis into this epoch: returns all escrow to the customers and voids undelivered grants. */
export async function activateEpoch(database: Database, epoch: bigint, signal?: AbortSignal): Promise<Activation> {
  let [afterId, accounts, returnedNanoUsd] = [0n, 0n, 0n];
  while (!signal?.aborted) {
    const step = await followEpoch(database, epoch, { afterId, limit: MAX_ACCOUNTS });
    accounts += step.accounts;
    returnedNanoUsd += step.returnedNanoUsd;
    afterId = step.lastId;
    if (step.outcome !== 'returning')
      return { isActive: true, isChanged: step.outcome === 'changed', accounts, returnedNanoUsd };
  }
  return { isActive: false, isChanged: false, accounts, returnedNanoUsd };
}
