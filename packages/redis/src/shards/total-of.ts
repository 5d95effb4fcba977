import type { ShardState } from '../admission/read-shards.js';

/** What all shards hold together. */
export type ShardTotals = Omit<ShardState, 'shard' | 'epoch'>;

export const totalOf = (shards: readonly ShardState[]): ShardTotals => {
  const sum = (read: (state: ShardState) => number): number => shards.reduce((total, state) => total + read(state), 0);
  const oldest = shards.flatMap(({ oldestEventAtMs }) => oldestEventAtMs ?? []);
  return {
    openHolds: sum(({ openHolds }) => openHolds),
    expiredHolds: sum(({ expiredHolds }) => expiredHolds),
    unbookedEvents: sum(({ unbookedEvents }) => unbookedEvents),
    deadEvents: sum(({ deadEvents }) => deadEvents),
    oldestEventAtMs: oldest.length === 0 ? null : Math.min(...oldest),
  };
};
