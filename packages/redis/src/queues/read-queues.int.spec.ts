import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TestRedis } from '../test-support/test-redis.js';
import { openQueueReader, type QueueReader } from './read-queues.js';

describe('the reader of queues', () => {
  let test: TestRedis;
  let reader: QueueReader;

  beforeEach(async () => {
    test = await TestRedis.open();
  });

  afterEach(async () => {
    await reader.close();
    await test.close();
  });

  it('reads after a start at which Redis was late with what it is', async () => {
    jest.spyOn(test.redis, 'info').mockRejectedValue(new Error('Command timed out') as never);
    reader = openQueueReader(test.redis, test.keys);
    const depths = await reader.read();
    expect(depths.length).toBeGreaterThan(0);
    expect(depths.every(({ waiting, oldestWaitMs }) => waiting === 0 && oldestWaitMs === null)).toBe(true);
  });
});
