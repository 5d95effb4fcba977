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

export interface Activation {
  /** False: this epoch was the active one already. */
  readonly isChanged: boolean;
  readonly accounts: bigint;
  readonly returnedNanoUsd: bigint;
}

/** Makes the ledger follow Redis into this epoch: all escrow goes back to the customers, grants on their way are void. */
export async function activateEpoch({ prisma }: Database, epoch: bigint): Promise<Activation> {
  const [row] = await prisma.$queryRaw<{ is_changed: boolean; accounts: bigint; returned_nano_usd: bigint }[]>`
    SELECT * FROM activate_epoch(${epoch}::bigint)`;
  if (row === undefined) throw new Error('activate_epoch() gave no row');
  return { isChanged: row.is_changed, accounts: row.accounts, returnedNanoUsd: row.returned_nano_usd };
}
