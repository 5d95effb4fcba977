import type { Database } from '../database.js';

export interface EscrowRequest {
  readonly accountId: string;
  /** The block is at least this; above zero. */
  readonly missingNanoUsd: bigint;
  /** The usual block is the balance divided by `blockDivisor`, but at most `blockLimitNanoUsd`. */
  readonly blockLimitNanoUsd: bigint;
  readonly blockDivisor: bigint;
}

export type EscrowOutcome =
  | { readonly outcome: 'granted'; readonly amountNanoUsd: bigint }
  /** The customer has less than is missing. */
  | { readonly outcome: 'refused'; readonly availableNanoUsd: bigint }
  | { readonly outcome: 'unknown_account' }
  /** The customer has less than is missing, but a block is on its way back to them: finish that, and ask again. */
  | { readonly outcome: 'returning' }
  /** Redis has no life that the ledger knows of: nothing can be granted yet. */
  | { readonly outcome: 'no_epoch' };

interface Row {
  readonly outcome: Exclude<EscrowOutcome['outcome'], 'returning'>;
  readonly amount_nano_usd: bigint | null;
}

/** Moves the next block from customer to escrow and notes it as a grant to be delivered, in one statement. */
export async function grantEscrow({ prisma }: Database, request: EscrowRequest): Promise<EscrowOutcome> {
  const { accountId, missingNanoUsd, blockLimitNanoUsd, blockDivisor } = request;
  const [row] = await prisma.$queryRaw<Row[]>`
    SELECT * FROM grant_escrow(${accountId}, ${missingNanoUsd}::bigint, ${blockLimitNanoUsd}::bigint,
      ${blockDivisor}::bigint)`;
  if (row === undefined) throw new Error('grant_escrow() gave no row');
  const amountNanoUsd = row.amount_nano_usd ?? 0n;
  if (row.outcome === 'granted') return { outcome: 'granted', amountNanoUsd };
  if (row.outcome === 'refused') return { outcome: 'refused', availableNanoUsd: amountNanoUsd };
  if (row.outcome === 'no_epoch' && row.amount_nano_usd !== null) return { outcome: 'returning' };
  return { outcome: row.outcome };
}
