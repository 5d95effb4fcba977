import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Queue } from 'bullmq';
import { connectRedis, type RedisConnection } from '../connection/connect-redis.js';
import { RedisServer } from '../test-support/redis-server.js';
import { FetchingWorker } from './fetching-worker.js';

describe('a fetching worker', () => {
  let server: RedisServer;
  let redis: RedisConnection;

  beforeAll(async () => {
    server = await RedisServer.start();
    redis = connectRedis(server.url, 'worker', () => undefined);
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  it('fetches more as soon as a started job lets it, although no job ends', async () => {
    const queue = new Queue('many', { connection: redis });
    await queue.addBulk(Array.from({ length: 20 }, (_, number) => ({ name: 'job', data: number })));
    const started: number[] = [];
    const hold = Promise.withResolvers<void>();
    const allStarted = Promise.withResolvers<void>();
    const worker = new FetchingWorker<number>(
      'many',
      (job) => {
        started.push(job.data);
        if (started.length === 20) allStarted.resolve();
        return hold.promise;
      },
      redis,
      { maxJobs: () => (started.length === 0 ? 3 : 100), letsOthersFirst: () => false },
      { prefix: 'bull' },
    );
    await allStarted.promise;
    expect(started.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, number) => number));
    hold.resolve();
    await worker.close();
    await queue.close();
  });
});
