import type { Database } from '../database.js';

/** The shards whose usage events one process of billing reads. */
export interface HeldShards {
  readonly held: readonly number[];
  /** Shards that no process holds: they are free for the next one that asks. */
  readonly unheld: number;
}

/** Renews the lease of this process, and shares the shards among the living ones. */
export async function holdShards({ prisma }: Database, copy: string, leaseMs: number): Promise<HeldShards> {
  const [row] = await prisma.$queryRaw<HeldShards[]>`SELECT * FROM hold_shards(${copy}, ${leaseMs}::int)`;
  if (row === undefined) throw new Error('hold_shards() returned no row');
  return row;
}

/** Ends the lease of this process: the others take its shards when they renew theirs. */
export async function releaseShards({ prisma }: Database, copy: string): Promise<void> {
  await prisma.$executeRaw`DELETE FROM billing_copy WHERE name = ${copy}`;
}
