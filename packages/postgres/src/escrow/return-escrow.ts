import type { Database } from '../database.js';

/** An open return: Redis releases the spendable money once for its sequence. */
export interface OpenReturn {
  readonly accountId: string;
  /** Rises with each return of the account, over all epochs. */
  readonly sequence: bigint;
  readonly epoch: bigint;
}

interface Row {
  readonly account_id: string;
  readonly sequence: bigint;
  readonly epoch: bigint;
}

const asOpenReturn = ({ account_id, sequence, epoch }: Row): OpenReturn => ({ accountId: account_id, sequence, epoch });

/** Opens a return for accounts whose escrow has not moved for `idleMs`, or whose customer owes money. Concurrent callers open each return once. */
export async function openEscrowReturns(
  { prisma }: Database,
  { idleMs, limit }: { readonly idleMs: number; readonly limit: number },
): Promise<readonly OpenReturn[]> {
  const rows = await prisma.$queryRaw<Row[]>`SELECT * FROM open_escrow_returns(${idleMs}::bigint, ${limit}::int)`;
  return rows.map(asOpenReturn);
}

/** Open returns: of one account, or of all that were opened at least `olderThanMs` ago. */
export async function openReturns(
  { prisma }: Database,
  which: { readonly accountId: string } | { readonly olderThanMs: number; readonly limit: number },
): Promise<readonly OpenReturn[]> {
  const accountId = 'accountId' in which ? which.accountId : null;
  const olderThanMs = 'accountId' in which ? 0 : which.olderThanMs;
  const limit = 'accountId' in which ? null : which.limit;
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT account_id, sequence, epoch FROM escrow_return
    WHERE closed_at IS NULL AND (${accountId}::text IS NULL OR account_id = ${accountId})
      AND opened_at <= now() - ${olderThanMs}::int * interval '1 millisecond'
    ORDER BY account_id LIMIT ${limit}::int`;
  return rows.map(asOpenReturn);
}

/** The customer's balance outside escrow, and the version of that balance. */
export interface ClosedReturn {
  readonly customerNanoUsd: bigint;
  readonly customerVersion: bigint;
}

/** Books the money that Redis released. Null: another process has booked it, or the return is void. */
export async function closeEscrowReturn(
  { prisma }: Database,
  { accountId, sequence }: OpenReturn,
  amountNanoUsd: bigint,
): Promise<ClosedReturn | null> {
  const [row] = await prisma.$queryRaw<{ customer_nano_usd: bigint; customer_version: bigint }[]>`
    SELECT * FROM close_escrow_return(${accountId}, ${sequence}::bigint, ${amountNanoUsd}::bigint)`;
  if (row === undefined) return null;
  return { customerNanoUsd: row.customer_nano_usd, customerVersion: row.customer_version };
}
