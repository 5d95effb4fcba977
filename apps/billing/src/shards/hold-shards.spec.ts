import { EventEmitter } from 'node:events';
import type { Logger } from '@gateway/observability';
import type { Database } from '@gateway/postgres';
import { describe, expect, it, jest } from '@jest/globals';
import { HoldShards } from './hold-shards.service.js';

/** A copy of billing that gets two shards at each renewal. `statements` lists what it asked of PostgreSQL. */
function copy() {
  const statements: string[] = [];
  const prisma = {
    $queryRaw: async () => {
      statements.push('hold');
      return [{ held: [3, 4], unheld: 0 }];
    },
    $executeRaw: async () => {
      statements.push('release');
      return 1;
    },
  };
  const redis = Object.assign(new EventEmitter(), { status: 'connecting' });
  const gauge = { set: jest.fn() };
  const leases = new HoldShards(
    { prisma } as unknown as Database,
    redis as unknown as ConstructorParameters<typeof HoldShards>[1],
    'copy',
    { shardsHeld: gauge, shardsUnheld: gauge } as unknown as ConstructorParameters<typeof HoldShards>[3],
    { info: () => undefined, warn: () => undefined } as unknown as Logger,
  );
  return { leases, redis, statements };
}

describe('HoldShards', () => {
  it('takes no shard before it has reached Redis', async () => {
    const { leases, redis, statements } = copy();
    await leases.renew();
    expect([leases.held, statements]).toEqual([[], []]);
    redis.status = 'ready';
    await leases.renew();
    expect([leases.held, statements]).toEqual([[3, 4], ['hold']]);
  });

  it('keeps its shards while it reconnects, and leaves them to other copies when Redis stays away', async () => {
    const { leases, redis, statements } = copy();
    redis.status = 'ready';
    await leases.renew();
    redis.status = 'reconnecting';
    await leases.renew();
    await leases.renew();
    expect(leases.held).toEqual([3, 4]);
    await leases.renew();
    await leases.renew();
    expect([leases.held, statements]).toEqual([[], ['hold', 'hold', 'hold', 'release']]);
  });

  it('takes shards again at once when Redis is back', async () => {
    const { leases, redis, statements } = copy();
    leases.onApplicationBootstrap();
    await new Promise((resolve) => setImmediate(resolve));
    expect(statements).toEqual([]);
    redis.status = 'ready';
    redis.emit('ready');
    await new Promise((resolve) => setImmediate(resolve));
    expect(leases.held).toEqual([3, 4]);
    await leases.stop();
    expect(statements).toEqual(['hold', 'release']);
  });
});
