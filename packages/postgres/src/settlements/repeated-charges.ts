import type { KeyId, KeySpending } from '@gateway/contracts';
import type { Database } from '../database.js';

/** A charge of work that its account had paid for under the same idempotency key. */
export interface RepeatedCharge {
  readonly requestId: string;
  readonly accountId: string;
  readonly firstRequestId: string;
}

/** As many as one round gives back; the next round continues. */
const LIMIT = 100;

/**
 * Second charges of one idempotency key within a day, if a receipt of that key was recorded in the last `lookBackMs`. A charge that was
 * given back counts as none. A day after it was claimed a key is free for another request, however late the first one was
 * charged. So admissions are compared, which follow the claim within a minute.
 */
export const listRepeatedCharges = ({ prisma }: Database, lookBackMs: number): Promise<readonly RepeatedCharge[]> =>
  prisma.$queryRaw<RepeatedCharge[]>`
    WITH recent AS (
      SELECT DISTINCT account_id, idempotency_hash FROM settlement
        WHERE recorded_at >= now() - ${lookBackMs}::float8 * interval '1 millisecond' AND idempotency_hash IS NOT NULL AND cost_nano_usd > 0
    ), charge AS (
      SELECT request_id, account_id, idempotency_hash, admitted_at, settled_at
        FROM recent JOIN settlement USING (account_id, idempotency_hash)
        WHERE cost_nano_usd > 0 AND NOT EXISTS (
          SELECT 1 FROM ledger_reference WHERE reference = 'reversal:settlement:' || request_id)
    )
    SELECT later.request_id AS "requestId", later.account_id AS "accountId", earliest.request_id AS "firstRequestId"
      FROM charge AS later CROSS JOIN LATERAL (
        SELECT request_id FROM charge AS earlier
          WHERE earlier.account_id = later.account_id AND earlier.idempotency_hash = later.idempotency_hash
            AND (earlier.settled_at, earlier.request_id) < (later.settled_at, later.request_id)
            AND earlier.admitted_at > later.admitted_at - interval '1 day' + interval '1 minute'
          ORDER BY settled_at, request_id LIMIT 1
      ) AS earliest
      ORDER BY later.request_id LIMIT ${LIMIT}`;

export interface Refund {
  readonly amountNanoUsd: bigint;
  /** What the key has spent now; null if the key does not exist any more. */
  readonly spending: KeySpending | null;
}

interface Row {
  readonly amount_nano_usd: bigint;
  readonly spending_key_id: string | null;
  readonly spent_nano_usd: bigint | null;
  readonly spending_version: bigint | null;
}

/** Null: the charge was given back before. */
export async function refundRepeatedCharge(
  { prisma }: Database,
  { requestId, firstRequestId }: Pick<RepeatedCharge, 'requestId' | 'firstRequestId'>,
): Promise<Refund | null> {
  const [row] = await prisma.$queryRaw<Row[]>`SELECT * FROM refund_repeated_charge(${requestId}, ${firstRequestId})`;
  if (row === undefined) return null;
  const { spending_key_id: keyId, spent_nano_usd: spent, spending_version: version } = row;
  return {
    amountNanoUsd: row.amount_nano_usd,
    spending:
      keyId === null || spent === null || version === null
        ? null
        : { spendingKeyId: keyId as KeyId, spentNanoUsd: spent.toString(), version: version.toString() },
  };
}
