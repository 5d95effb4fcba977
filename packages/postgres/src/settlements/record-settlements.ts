import { type BookedCapCount, FORMER_SHARD, type KeySpending, shardOf, type UsageSettled } from '@gateway/contracts';
import type { Database } from '../database.js';
import { toStorableJson } from '../storable-json.js';

export interface RecordableSettlement {
  readonly streamId: string;
  readonly event: UsageSettled;
  /** The shard whose stream has the entry; missing: that of its account. `FORMER_SHARD`: the slot of former releases. */
  readonly shard?: number | undefined;
}

const RECORD = 'SELECT record_settlements($1::jsonb, NULL) AS recorded';

/** Names an entry among those of all streams. */
export const entryIdOf = ({ shard, streamId }: Pick<RecordableSettlement, 'shard' | 'streamId'>): string =>
  shard === undefined || shard === FORMER_SHARD ? streamId : `${shard}:${streamId}`;

export type RecordOutcome =
  | {
      readonly outcome: 'recorded';
      /** Requests that had no receipt before. */
      readonly newRequests: number;
      /** The entries (`entryIdOf`) of requests that another entry had settled: Redis charged them twice. */
      readonly doubleCharges: readonly string[];
      /** The amounts that the keys of this batch have spent, for Redis. */
      readonly spendings: readonly (KeySpending & { readonly accountId: string })[];
      /** What counts against the caps that the batch names, for Redis. */
      readonly capCounts: readonly (BookedCapCount & { readonly accountId: string })[];
    }
  /** The ledger has not followed Redis into one of the epochs yet: nothing was written. */
  | { readonly outcome: 'wait' };

/** Copies a batch into the ledger, each request once, in one statement. `epoch`: the epoch of Redis that a shard was read in. */
export async function recordSettlements(
  { pool }: Pick<Database, 'pool'>,
  settlements: readonly RecordableSettlement[],
  epoch: bigint | ((shard: number) => bigint),
): Promise<RecordOutcome> {
  const epochOf = typeof epoch === 'bigint' ? () => epoch : epoch;
  const events = toStorableJson(
    settlements.map(({ event, ...entry }) => {
      const shard = entry.shard ?? shardOf(event.accountId);
      const origin = { shard, epoch: epochOf(shard).toString() };
      return { ...event, ...origin, streamEntryId: entryIdOf(entry) };
    }),
  );

  const { rows } = await pool.query<{ recorded: RecordOutcome }>(RECORD, [events]);
  const [row] = rows;
  if (row === undefined) throw new Error('record_settlements() returned no row');
  return row.recorded;
}
