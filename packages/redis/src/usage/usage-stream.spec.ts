import { describe, expect, it } from '@jest/globals';
import type { RedisConnection } from '../connection/connect-redis.js';
import { redisKeys } from '../keys.js';
import { sampleRequest, sampleSettlement } from '../test-support/samples.js';
import { UsageStream } from './usage-stream.js';

const ENTRIES = 1_000;
const MOST_IN_A_TURN = 50;

/** Counts turns of the event loop until it is stopped. */
function countTurns(): { readonly stop: () => number } {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  return {
    stop: () => {
      clearImmediate(next);
      return turns;
    },
  };
}

describe('a read of a large backlog', () => {
  it('lets other work run between its entries', async () => {
    const keys = redisKeys();
    const event = JSON.stringify(sampleSettlement(sampleRequest(), 3n));
    const entries = Array.from({ length: ENTRIES }, (_, at) => [`${at + 1}-0`, ['event', event]]);
    const redis = {
      isCluster: false,
      defineCommand: () => undefined,
      xreadgroup: () => Promise.resolve([[keys.shards[0]?.usage, entries]]),
    } as unknown as RedisConnection;
    const stream = new UsageStream(redis, { keys, onDead: () => undefined });
    const turns = countTurns();
    expect(await stream.read({ consumer: 'a', count: ENTRIES, blockMs: 1 })).toHaveLength(ENTRIES);
    expect(turns.stop()).toBeGreaterThanOrEqual(ENTRIES / MOST_IN_A_TURN - 1);
  });
});
