import type { KeySpending } from '@gateway/contracts';
import type { RedisKeys } from '../keys.js';
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
}

export const acknowledgeCall = (
  keys: RedisKeys,
  entries: readonly AcknowledgedUsage[],
  spendings: readonly KeySpending[],
): ScriptCall => ({
  keys: [keys.usage, ...entries.map((entry) => keys.account(entry.accountId))],
  args: [
    jsonArgs({
      group: USAGE_GROUP,
      spendingPrefix: keys.spending(''),
      entries: entries.map((entry) => ({
        id: entry.streamId,
        minusCost: negated(entry.costNanoUsd),
        refund: entry.isDuplicate ? entry.costNanoUsd.toString() : '0',
        spendingKey: entry.spendingKeyId ?? '',
      })),
      spendings: spendings.map(({ spendingKeyId, spentNanoUsd, version }) => ({
        spendingKey: spendingKeyId,
        spent: spentNanoUsd,
        version,
      })),
    }),
  ],
});
