import { once } from 'node:events';
import { syncQueueName } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sampleTicket } from '../test-support/samples.js';
import { TestRedis } from '../test-support/test-redis.js';
import { openWorker } from './open-worker.js';
import { createSyncQueue, type SyncQueue } from './sync-queue.js';

const JOBS = 5;

describe('FetchingWorker', () => {
  let store: TestRedis;
  let queue: SyncQueue;

  beforeEach(async () => {
    store = await TestRedis.open();
    queue = await createSyncQueue(store.redis, 'openai', store.keys);
  });
  afterEach(async () => {
    await queue.close();
    await store.close();
  });

  function open(run: () => Promise<void>, heard: string[]) {
    const name = syncQueueName('openai');
    const onError = (error: Error) => heard.push(error.message);
    const options = { url: TestRedis.url, name, keys: store.keys, concurrency: 100, maxStalledCount: 1, onError };
    const { worker, close } = openWorker(options, run);
    worker.on('active', () => heard.push('fetched'));
    return { worker, close: () => close(1_000, () => undefined) };
  }

  it('runs each job before it has the next one, though more of them wait', async () => {
    for (let count = 0; count < JOBS; count += 1) await queue.enqueue(sampleTicket());
    const heard: string[] = [];
    let ended = 0;
    const { worker, close } = open(async () => void heard.push('run'), heard);
    worker.on('completed', () => {
      ended += 1;
    });
    while (ended < JOBS) await once(worker, 'completed');
    await close();
    expect(heard).toEqual(Array.from({ length: JOBS }, () => ['run', 'fetched']).flat());
  });

  it('tells of a job that fails at once, and goes on', async () => {
    for (let count = 0; count < 2; count += 1) await queue.enqueue(sampleTicket());
    const failures: string[] = [];
    const { worker, close } = open(() => Promise.reject(new Error('it fails')), []);
    worker.on('failed', (_job, { message }) => failures.push(message));
    while (failures.length < 2) await once(worker, 'failed');
    await close();
    expect(failures).toEqual(['it fails', 'it fails']);
  });
});
