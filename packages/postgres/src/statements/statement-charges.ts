import type { Database } from '../database.js';
import type { AccountPeriod } from './statement-period.js';
import type { StatementTotals } from './statement-totals.js';

type Charged = AccountPeriod & Pick<StatementTotals, 'chargesNanoUsd' | 'chargeCount'>;

export interface ModelCharges {
  readonly model: string;
  readonly requests: bigint;
  readonly costNanoUsd: bigint;
}

/**
 * The charges of a period by model. A receipt is recorded in the transaction of its charge, so the time of its record
 * finds it without a join. If these are not as many as the ledger's charges, or other amounts, each charge is looked up.
 */
export async function statementCharges(database: Database, charged: Charged): Promise<readonly ModelCharges[]> {
  const recorded = await recordedCharges(database, charged);
  const requests = recorded.reduce((sum, model) => sum + model.requests, 0n);
  const cost = recorded.reduce((sum, model) => sum + model.costNanoUsd, 0n);
  const isWhole = requests === charged.chargeCount && cost === -charged.chargesNanoUsd;
  return isWhole ? recorded : joinedCharges(database, charged);
}

/** A receipt that was settled earlier is looked up by its charge. The bounds let the index of the account serve. */
export const recordedCharges = (
  { prisma }: Database,
  { accountId, from, to }: AccountPeriod,
): Promise<ModelCharges[]> =>
  prisma.$queryRaw<ModelCharges[]>`
    SELECT model, count(*) AS requests, sum(cost_nano_usd)::bigint AS "costNanoUsd"
      FROM settlement
      WHERE account_id = ${accountId} AND cost_nano_usd <> 0
        AND settled_at >= ${from}::timestamptz - interval '7 days' AND settled_at < ${to}::timestamptz + interval '1 hour'
        AND recorded_at >= ${from} AND recorded_at < ${to}
      GROUP BY model ORDER BY sum(cost_nano_usd) DESC, model`;

const joinedCharges = ({ prisma }: Database, { accountId, from, to }: AccountPeriod): Promise<ModelCharges[]> =>
  prisma.$queryRaw<ModelCharges[]>`
    SELECT model, count(*) AS requests, sum(cost_nano_usd)::bigint AS "costNanoUsd"
      FROM ledger_transaction JOIN settlement ON request_id = substr(reference, 1 + length('settlement:'))
      WHERE ledger_transaction.account_id = ${accountId} AND kind = 'settlement'
        AND created_at >= ${from} AND created_at < ${to}
      GROUP BY model ORDER BY sum(cost_nano_usd) DESC, model`;
