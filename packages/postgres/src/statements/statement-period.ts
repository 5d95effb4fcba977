import type { Database } from '../database.js';

/** A calendar month of an account, in a time zone. */
export interface StatementMonth {
  readonly accountId: string;
  /** `2026-11`. */
  readonly month: string;
  readonly timeZone: string;
}

/** The month as a period of time, and as a range of ids. */
export interface MonthPeriod {
  readonly from: Date;
  /** The end of the month, or a minute ago if that is earlier: what is older does not change any more. */
  readonly to: Date;
  readonly isFinal: boolean;
  /** The ids of the month in UTC: from the first one, and before the end. */
  readonly firstId: bigint;
  readonly endId: bigint;
}

export async function periodOf(
  { prisma }: Database,
  { month, timeZone }: Pick<StatementMonth, 'month' | 'timeZone'>,
): Promise<MonthPeriod> {
  const [row] = await prisma.$queryRaw<MonthPeriod[]>`
    SELECT starts_at AS "from", greatest(starts_at, until) AS "to", until = ends_at AS "isFinal",
        ledger_month_floor(starts AT TIME ZONE 'UTC') AS "firstId",
        ledger_month_floor((starts + interval '1 month') AT TIME ZONE 'UTC') AS "endId"
      FROM (
        SELECT starts, starts AT TIME ZONE ${timeZone} AS starts_at, (starts + interval '1 month') AT TIME ZONE ${timeZone} AS ends_at,
            least((starts + interval '1 month') AT TIME ZONE ${timeZone}, now() - interval '1 minute') AS until
          FROM (SELECT (${month} || '-01')::timestamp AS starts) AS month) AS period`;
  if (row === undefined) throw new Error('a month has no period');
  return row;
}

/** A period of one account. */
export type AccountPeriod = { readonly accountId: string } & Pick<MonthPeriod, 'from' | 'to'>;
