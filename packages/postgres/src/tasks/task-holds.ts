import type { Database } from '../database.js';

/** What could be wrong with the money of tasks; each is zero where all is well. */
export interface TaskHoldCheck {
  /** Over all accounts: what `task_holds` has and should not, or has not and should. */
  readonly driftNanoUsd: bigint;
  /** Open tasks whose hold the ledger should have taken over by now. */
  readonly unbookedHolds: number;
  /** Tasks that ended in the last day without a receipt. */
  readonly endedWithoutReceipt: number;
}

/** As of one moment. `lateAfterMs`: how long a hold may be on its way. */
export async function checkTaskHolds({ prisma }: Database, lateAfterMs: number): Promise<TaskHoldCheck> {
  const [row] = await prisma.$queryRaw<{ drift: bigint; unbooked: bigint; unsettled: bigint }[]>`
    WITH kept AS (
      SELECT account_id, balance_nano_usd AS amount
      FROM ledger_account JOIN ledger_balance ON ledger_account_id = id WHERE kind = 'task_holds' AND balance_nano_usd <> 0
    ), owed AS (
      SELECT account_id, sum(hold_nano_usd) AS amount
      FROM video_task WHERE NOT is_final_task(state) AND hold_entry_id IS NOT NULL GROUP BY account_id
    )
    SELECT
      (SELECT coalesce(sum(abs(coalesce(kept.amount, 0) - coalesce(owed.amount, 0))), 0)::bigint
        FROM kept FULL JOIN owed USING (account_id)) AS drift,
      (SELECT count(*) FROM video_task WHERE NOT is_final_task(state) AND hold_entry_id IS NULL AND hold_nano_usd > 0
        AND asked_at < now() - ${lateAfterMs}::int * interval '1 millisecond') AS unbooked,
      (SELECT count(*) FROM video_task WHERE finished_at > now() - interval '1 day'
        AND NOT EXISTS (SELECT 1 FROM settlement WHERE settlement.request_id = video_task.request_id)) AS unsettled`;
  if (row === undefined) throw new Error('the check gave no row');
  return {
    driftNanoUsd: row.drift,
    unbookedHolds: Number(row.unbooked),
    endedWithoutReceipt: Number(row.unsettled),
  };
}

export interface AdoptedHolds {
  readonly adopted: number;
  /** SHA-256 of the keys with a spend cap that have spent more by it. */
  readonly cappedKeys: readonly string[];
}

/** Takes over the holds whose events are lost, older than this. Call it while no event waits to be booked. */
export async function adoptOrphanTaskHolds({ prisma }: Database, olderThanMs: number): Promise<AdoptedHolds> {
  const [row] = await prisma.$queryRaw<{ adopted: bigint; capped_keys: string[] }[]>`
    SELECT * FROM adopt_orphan_task_holds(${olderThanMs}::int)`;
  return { adopted: Number(row?.adopted ?? 0n), cappedKeys: row?.capped_keys ?? [] };
}
