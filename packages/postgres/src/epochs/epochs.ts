import { FORMER_SHARD, SHARDS } from '@gateway/contracts';
import type { Database } from '../database.js';

/** The epoch of Redis that the ledger follows in each shard. A shard without an epoch is missing. */
export async function activeEpochs({ prisma }: Database): Promise<ReadonlyMap<number, bigint>> {
  const rows = await prisma.$queryRaw<{ shard: number; epoch: bigint }[]>`
    SELECT shard, max(epoch) AS epoch FROM redis_epoch
    WHERE shard >= 0 AND activated_at IS NOT NULL AND retired_at IS NULL GROUP BY shard`;
  return new Map(rows.map(({ shard, epoch }) => [shard, epoch]));
}

/** The last epoch of the releases that had one slot for all money. Null: none of them has used this ledger. */
export async function formerEpoch({
  prisma,
}: Database): Promise<{ readonly number: bigint; readonly isRetired: boolean } | null> {
  const [row] = await prisma.$queryRaw<{ number: bigint; isRetired: boolean }[]>`
    SELECT epoch AS number, retired_at IS NOT NULL AS "isRetired" FROM redis_epoch
    WHERE shard = ${FORMER_SHARD} AND activated_at IS NOT NULL ORDER BY activated_at DESC, epoch DESC LIMIT 1`;
  return row ?? null;
}

/** Ends the epoch of the releases that had one slot for all money. Its escrow returns with the first epoch of each shard. */
export async function retireFormerEpoch({ prisma }: Database): Promise<void> {
  await prisma.$executeRaw`SELECT retire_former_epoch()`;
}

/** The number for a new epoch of Redis, in any shards. Returns a number again if it was never activated. */
export async function nextEpoch({ prisma }: Database): Promise<bigint> {
  const [row] = await prisma.$queryRaw<{ epoch: bigint }[]>`SELECT reserve_epoch() AS epoch`;
  if (row === undefined) throw new Error('reserve_epoch() returned no row');
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
 * Runs one step towards the epoch of Redis in these shards: returns a batch of their escrow to its customers. The epoch
 * becomes active when none is left. Until then these shards have no epoch, and the ledger grants nothing there. Any process
 * may run the next step.
 */
export async function followEpoch(
  { prisma }: Database,
  epoch: bigint,
  {
    afterId,
    limit,
    shards = SHARDS,
  }: { readonly afterId: bigint; readonly limit: number; readonly shards?: readonly number[] },
): Promise<EpochStep> {
  const [row] = await prisma.$queryRaw<
    { outcome: EpochStep['outcome']; last_id: bigint; accounts: bigint; returned_nano_usd: bigint }[]
  >`SELECT * FROM follow_epoch(${epoch}::bigint, ${[...shards]}::int[], ${afterId}::bigint, ${limit}::int)`;
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

/** Lets the ledger follow these shards into an epoch: returns their escrow to the customers and voids undelivered grants. */
export async function activateEpoch(
  database: Database,
  epoch: bigint,
  shards: readonly number[] = SHARDS,
  signal?: AbortSignal,
): Promise<Activation> {
  let [afterId, accounts, returnedNanoUsd] = [0n, 0n, 0n];
  while (!signal?.aborted) {
    const step = await followEpoch(database, epoch, { afterId, limit: MAX_ACCOUNTS, shards });
    accounts += step.accounts;
    returnedNanoUsd += step.returnedNanoUsd;
    afterId = step.lastId;
    if (step.outcome !== 'returning')
      return { isActive: true, isChanged: step.outcome === 'changed', accounts, returnedNanoUsd };
  }
  return { isActive: false, isChanged: false, accounts, returnedNanoUsd };
}
