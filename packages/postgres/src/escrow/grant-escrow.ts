import type { Database } from '../database.js';

export interface EscrowRequest {
  readonly accountId: string;
  /** The block is at least this amount; above zero. */
  readonly missingNanoUsd: bigint;
  /** The usual block is the balance divided by `blockDivisor`, at most `blockLimitNanoUsd`. */
  readonly blockLimitNanoUsd: bigint;
  readonly blockDivisor: bigint;
}

export type EscrowOutcome =
  | { readonly outcome: 'granted'; readonly amountNanoUsd: bigint }
  /** The customer has less than `missingNanoUsd`. */
  | { readonly outcome: 'refused'; readonly availableNanoUsd: bigint }
  | { readonly outcome: 'unknown_account' }
  /** The same, while a return is under way: finish the return and retry. */
  | { readonly outcome: 'returning' }
  /** No epoch of Redis is active: nothing can be granted yet. */
  | { readonly outcome: 'no_epoch' };

interface Row {
  readonly outcome: Exclude<EscrowOutcome['outcome'], 'returning'>;
  readonly amount_nano_usd: bigint | null;
}

/** Moves the next block from the customer to escrow and stores it as an undelivered grant, in one statement. */
export async function grantEscrow({ prisma }: Database, request: EscrowRequest): Promise<EscrowOutcome> {
  const { accountId, missingNanoUsd, blockLimitNanoUsd, blockDivisor } = request;
  const [row] = await prisma.$queryRaw<Row[]>`
    SELECT * FROM grant_escrow(${accountId}, ${missingNanoUsd}::bigint, ${blockLimitNanoUsd}::bigint,
      ${blockDivisor}::bigint)`;
  if (row === undefined) throw new Error('grant_escrow() returned no row');
  const amountNanoUsd = row.amount_nano_usd ?? 0n;
  if (row.outcome === 'granted') return { outcome: 'granted', amountNanoUsd };
  if (row.outcome === 'refused') return { outcome: 'refused', availableNanoUsd: amountNanoUsd };
  if (row.outcome === 'no_epoch' && row.amount_nano_usd !== null) return { outcome: 'returning' };
  return { outcome: row.outcome };
}
