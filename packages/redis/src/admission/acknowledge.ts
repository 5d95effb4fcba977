import type { BookedCapCount, KeySpending } from '@gateway/contracts';
import type { MoneyKeys } from '../keys.js';
import { jsonArgs, negated, type ScriptCall } from '../scripts/script.js';
import { USAGE_GROUP } from '../usage/usage-group.js';

export interface AcknowledgedUsage {
  readonly streamId: string;
  readonly accountId: string;
  readonly costNanoUsd: bigint;
  /** The ledger had booked this request before: its cost left spendable twice and is refunded. */
  readonly isDuplicate: boolean;
  /** The spending count that holds this cost as unsettled, if the key has a cap. */
  readonly spendingKeyId?: string | undefined;
  /** The counters of caps that hold this request as open, and its tokens. */
  readonly counters?: readonly string[] | undefined;
  readonly tokens?: number;
}

interface OfAccount {
  readonly accountId: string;
}

/** The booked totals of the keys and the caps of a batch. */
export interface BookedTotals {
  readonly spendings: readonly (KeySpending & OfAccount)[];
  readonly capCounts: readonly (BookedCapCount & OfAccount)[];
}

export const acknowledgeCall = (
  keys: MoneyKeys,
  entries: readonly AcknowledgedUsage[],
  { spendings, capCounts }: BookedTotals,
): ScriptCall => ({
  keys: [keys.usage, ...entries.map((entry) => keys.account(entry.accountId))],
  args: [
    jsonArgs({
      group: USAGE_GROUP,
      spendingPrefix: keys.spending(''),
      capPrefix: keys.cap(''),
      capCounts: capCounts.map(({ accountId: _, ...count }) => count),
      entries: entries.map((entry) => ({
        id: entry.streamId,
        minusCost: negated(entry.costNanoUsd),
        refund: entry.isDuplicate ? entry.costNanoUsd.toString() : '0',
        spendingKey: entry.spendingKeyId ?? '',
        counters: entry.counters?.join(' ') ?? '',
        minusTokens: `${-(entry.tokens ?? 0)}`,
      })),
      spendings: spendings.map(({ spendingKeyId, spentNanoUsd, version }) => ({
        spendingKey: spendingKeyId,
        spent: spentNanoUsd,
        version,
      })),
    }),
  ],
});
