import type { MoneyKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';

/** `limit`: of each shard. */
export const expiredHoldsCall = (shards: readonly MoneyKeys[], nowMs: number, limit: number): ScriptCall => ({
  keys: shards.map(({ openHolds }) => openHolds),
  args: [jsonArgs({ nowMs: `${nowMs}`, limit: `${limit}` })],
});
