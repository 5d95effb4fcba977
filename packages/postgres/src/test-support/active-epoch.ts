import type { Database } from '../database.js';
import { activeEpochs } from '../epochs/epochs.js';

/** The epoch of the first shard; null: none is active. Tests move all shards together. */
export const activeEpoch = async (database: Database): Promise<bigint | null> =>
  (await activeEpochs(database)).get(0) ?? null;
