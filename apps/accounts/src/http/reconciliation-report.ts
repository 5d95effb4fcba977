import { z } from 'zod';
import { usdText } from './answers.js';

/** Billing's report. Its later fields pass through. */
export const reconciliationReport = z
  .looseObject({
    checked_at: z.string(),
    orphan_holds: z.int(),
    unsettled_events: z.int(),
    parked_events: z.int(),
    ledger_imbalance_nano_usd: z.string(),
    task_hold_drift_nano_usd: z.string(),
    unbooked_task_holds: z.int(),
    tasks_without_receipt: z.int(),
    drift_usd: usdText,
    drifts: z.array(z.object({ account_id: z.string(), drift_usd: usdText, rounds: z.int() })),
  })
  .meta({ id: 'Reconciliation' });

export type ReconciliationReport = z.output<typeof reconciliationReport>;
