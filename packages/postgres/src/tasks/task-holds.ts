import type { Database } from '../database.js';

/** Three checks of the holds of tasks; each must be zero. */
export interface TaskHoldCheck {
  /** The sum over all accounts of the difference between `task_holds` and the holds of open tasks. */
  readonly driftNanoUsd: bigint;
  /** Open tasks whose hold should have been booked by now. */
  readonly unbookedHolds: number;
  /** Tasks that ended in the last day without a receipt. */
  readonly endedWithoutReceipt: number;
}

/** Checks in one snapshot. `lateAfterMs`: how long the event of a hold may take. */
export async function checkTaskHolds({ prisma }: Database, lateAfterMs: number): Promise<TaskHoldCheck> {
  const [row] = await prisma.$queryRaw<{ drift: bigint; unbooked: bigint; unsettled: bigint }[]>`
    WITH held AS (
      SELECT account_id, balance_nano_usd AS amount
      FROM ledger_account JOIN ledger_balance ON ledger_account_id = id WHERE kind = 'task_holds' AND balance_nano_usd <> 0
    ), owed AS (
      SELECT account_id, sum(hold_nano_usd) AS amount
      FROM video_task WHERE NOT is_final_task(state) AND hold_entry_id IS NOT NULL GROUP BY account_id
    )
    SELECT
      (SELECT coalesce(sum(abs(coalesce(held.amount, 0) - coalesce(owed.amount, 0))), 0)::bigint
        FROM held FULL JOIN owed USING (account_id)) AS drift,
      (SELECT count(*) FROM video_task WHERE NOT is_final_task(state) AND hold_entry_id IS NULL AND hold_nano_usd > 0
        AND asked_at < now() - ${lateAfterMs}::int * interval '1 millisecond') AS unbooked,
      (SELECT count(*) FROM video_task WHERE finished_at > now() - interval '1 day'
        AND NOT EXISTS (SELECT 1 FROM settlement WHERE settlement.request_id = video_task.request_id)) AS unsettled`;
  if (row === undefined) throw new Error('task hold check: the query returned no row');
  return {
    driftNanoUsd: row.drift,
    unbookedHolds: Number(row.unbooked),
    endedWithoutReceipt: Number(row.unsettled),
  };
}

export interface AdoptedHolds {
  readonly adopted: number;
  /** SHA-256 of the keys with a spend cap that have spent more by the adoption. */
  readonly cappedKeys: readonly string[];
}

/** Books the holds whose events are lost, older than `olderThanMs`. Call it while no event waits to be recorded. */
export async function adoptOrphanTaskHolds({ prisma }: Database, olderThanMs: number): Promise<AdoptedHolds> {
  const [row] = await prisma.$queryRaw<{ adopted: bigint; capped_keys: string[] }[]>`
    SELECT * FROM adopt_orphan_task_holds(${olderThanMs}::int)`;
  return { adopted: Number(row?.adopted ?? 0n), cappedKeys: row?.capped_keys ?? [] };
}
