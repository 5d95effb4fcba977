import type { RedisKeys } from '../keys.js';
import { USAGE_GROUP } from '../usage/usage-group.js';
import { EVEN_WHEN_FULL, negated, type ScriptCall } from './script.js';

export interface BookedUsage {
  readonly streamId: string;
  readonly accountId: string;
  readonly costNanoUsd: bigint;
  /** The ledger had this request before: its cost was taken from spendable twice and goes back. */
  readonly isDuplicate: boolean;
}

/** Forgets usage events that the ledger has booked. Only the call that takes an event off the pending list counts. */
export const ACKNOWLEDGE_LUA = `${EVEN_WHEN_FULL}
local acknowledged = 0
for index = 2, #KEYS do
  local at = 3 * (index - 2) + 2
  local id, minus_cost, refund = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  if redis.call('XACK', KEYS[1], ARGV[1], id) == 1 then
    redis.call('XDEL', KEYS[1], id)
    redis.call('HINCRBY', KEYS[index], 'unsettled', minus_cost)
    if refund ~= '0' then redis.call('HINCRBY', KEYS[index], 'spendable', refund) end
    acknowledged = acknowledged + 1
  end
end
return acknowledged
`;

export const acknowledgeCall = (keys: RedisKeys, entries: readonly BookedUsage[]): ScriptCall => ({
  keys: [keys.usage, ...entries.map((entry) => keys.account(entry.accountId))],
  args: [
    USAGE_GROUP,
    ...entries.flatMap((entry) => [
      entry.streamId,
      negated(entry.costNanoUsd),
      entry.isDuplicate ? entry.costNanoUsd.toString() : '0',
    ]),
  ],
});
