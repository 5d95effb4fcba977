import type { MoneyKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';

/** What one shard of the money holds. */
export interface ShardState {
  readonly shard: number;
  /** Null: it is empty and admits nothing until billing begins an epoch. */
  readonly epoch: string | null;
  readonly openHolds: number;
  /** Holds past their expiry that no sweep has released. */
  readonly expiredHolds: number;
  /** Usage events that the ledger has not booked. */
  readonly unbookedEvents: number;
  /** Usage events that cannot be parsed. */
  readonly deadEvents: number;
  /** When the oldest unbooked event was written, in Unix milliseconds by the clock of Redis; null: there is none. */
  readonly oldestEventAtMs: number | null;
}

export const readShardsCall = (shards: readonly MoneyKeys[], nowMs: number): ScriptCall => ({
  keys: shards.flatMap(({ epoch, openHolds, usage, deadUsage }) => [epoch, openHolds, usage, deadUsage]),
  args: [jsonArgs({ nowMs: `${nowMs}` })],
});

type Reply = readonly (readonly [
  epoch: string,
  openHolds: number,
  expiredHolds: number,
  unbooked: number,
  dead: number,
  oldest: string,
])[];

export const readShardStates = (shards: readonly MoneyKeys[], reply: unknown): readonly ShardState[] =>
  (reply as Reply).map(([epoch, openHolds, expiredHolds, unbookedEvents, deadEvents, oldest], index) => ({
    shard: shards[index]?.shard ?? -1,
    epoch: epoch === '' ? null : epoch,
    openHolds,
    expiredHolds,
    unbookedEvents,
    deadEvents,
    // An entry's id begins with Redis' time in milliseconds.
    oldestEventAtMs: oldest === '' ? null : Number(oldest.split('-')[0]),
  }));
