import type { KeySpending } from '@gateway/contracts';
import type { RedisKeys } from '../keys.js';
import { USAGE_GROUP } from '../usage/usage-group.js';
import { EVEN_WHEN_FULL, negated, type ScriptCall } from './script.js';
import { SPENDING_LUA } from './spending.js';

export interface AcknowledgedUsage {
  readonly streamId: string;
  readonly accountId: string;
  readonly costNanoUsd: bigint;
  /** The ledger had this request before: its cost was taken from spendable twice and goes back. */
  readonly isDuplicate: boolean;
  /** Where the event says that its cost was counted until it is booked. */
  readonly spendingKeyId?: string | undefined;
}

/**
 * Forgets usage events that the ledger has booked. Only the call that takes an event off the pending list counts. In the
 * same step what keys have spent becomes what the ledger says, so that no cost counts twice against a cap, or not at all.
 */
export const ACKNOWLEDGE_LUA = `${EVEN_WHEN_FULL}${SPENDING_LUA}
local usage_group, entries, spending_prefix = unpack(ARGV)
local acknowledged = 0
for index = 1, tonumber(entries) do
  local account, at = KEYS[index + 1], 4 * index
  local id, minus_cost, refund, spending_key = unpack(ARGV, at, at + 3)
  if redis.call('XACK', KEYS[1], usage_group, id) == 1 then
    redis.call('XDEL', KEYS[1], id)
    redis.call('HINCRBY', account, 'unsettled', minus_cost)
    if refund ~= '0' then redis.call('HINCRBY', account, 'spendable', refund) end
    if spending_key ~= '' then redis.call('HINCRBY', spending_prefix .. spending_key, 'unsettled', minus_cost) end
    acknowledged = acknowledged + 1
  end
end
for at = 4 * tonumber(entries) + 4, #ARGV, 3 do
  set_spending(spending_prefix .. ARGV[at], ARGV[at + 1], ARGV[at + 2])
end
return acknowledged
`;

export const acknowledgeCall = (
  keys: RedisKeys,
  entries: readonly AcknowledgedUsage[],
  spendings: readonly KeySpending[],
): ScriptCall => ({
  keys: [keys.usage, ...entries.map((entry) => keys.account(entry.accountId))],
  args: [
    USAGE_GROUP,
    entries.length.toString(),
    keys.spending(''),
    ...entries.flatMap((entry) => [
      entry.streamId,
      negated(entry.costNanoUsd),
      entry.isDuplicate ? entry.costNanoUsd.toString() : '0',
      entry.spendingKeyId ?? '',
    ]),
    ...spendings.flatMap(({ spendingKeyId, spentNanoUsd, version }) => [spendingKeyId, spentNanoUsd, version]),
  ],
});
