import type { BookedCapCount, KeySpending, UsageSettled } from '@gateway/contracts';
import type { Database } from '../database.js';
import { toStorableJson } from '../storable-json.js';

export interface RecordableSettlement {
  readonly streamId: string;
  readonly event: UsageSettled;
}

export type RecordOutcome =
  | {
      readonly outcome: 'recorded';
      /** Requests that had no receipt before. */
      readonly newRequests: number;
      /** Stream entries of requests that another entry had settled: Redis charged them twice. */
      readonly doubleCharges: readonly string[];
      /** The amounts that the keys of this batch have spent, for Redis. */
      readonly spendings: readonly KeySpending[];
      /** What counts against the caps that the batch names, for Redis. */
      readonly capCounts: readonly BookedCapCount[];
    }
  /** The ledger has not followed Redis into this epoch yet: nothing was written. */
  | { readonly outcome: 'wait' };

/** Copies a batch into the ledger, each request once, in one statement. `epoch`: the epoch of Redis it was read in. */
export async function recordSettlements(
  { prisma }: Database,
  settlements: readonly RecordableSettlement[],
  epoch: bigint,
): Promise<RecordOutcome> {
  const events = toStorableJson(settlements.map(({ streamId, event }) => ({ ...event, streamEntryId: streamId })));
  const [row] = await prisma.$queryRaw<{ recorded: RecordOutcome }[]>`
    SELECT record_settlements(${events}::jsonb, ${epoch}::bigint) AS recorded`;
  if (row === undefined) throw new Error('record_settlements() returned no row');
  return row.recorded;
}
