import type { CappedPeriod } from '@gateway/contracts';
import type { Database } from '../database.js';

/** The caps of an account, its members and its keys that are not revoked, by the id of their owner, with what counts. */
export async function readCappedPeriods(
  { prisma }: Database,
  accountId: string,
): Promise<ReadonlyMap<string, readonly CappedPeriod[]>> {
  const rows = await prisma.$queryRaw<{ id: string; periods: CappedPeriod[] }[]>`
    SELECT id, cap_periods(id, caps, time_zone) AS periods FROM account WHERE id = ${accountId}
    UNION ALL
    SELECT member.id, cap_periods(member.id, member.caps, time_zone)
      FROM member JOIN account ON account.id = account_id
      WHERE account_id = ${accountId} AND removed_at IS NULL AND member.caps <> '[]'
    UNION ALL
    SELECT api_key.id, cap_periods(coalesce(spending_key_id, api_key.id), api_key.caps, time_zone)
      FROM api_key JOIN account ON account.id = account_id
      WHERE account_id = ${accountId} AND revoked_at IS NULL AND api_key.caps <> '[]'`;
  return new Map(rows.map(({ id, periods }) => [id, periods]));
}
