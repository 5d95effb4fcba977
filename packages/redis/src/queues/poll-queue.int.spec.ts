import { newRequestId, type TaskId, taskIdOf } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestRedis } from '../test-support/test-redis.js';
import { createPollQueue, createPollWorker, type PollQueue, type PollWorker } from './poll-queue.js';

describe('the poll queue', () => {
  let test: TestRedis;
  let queue: PollQueue;
  const workers: PollWorker[] = [];
  const newTaskId = (): TaskId => taskIdOf(newRequestId());

  beforeEach(async () => {
    test = await TestRedis.open();
    queue = await createPollQueue(test.redis, 'dashscope', test.keys);
  });

  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close(1_000);
    await queue.close();
    await test.close();
  });

  /** Resolves to the polled tasks after `count` polls. */
  function listen(count: number): Promise<TaskId[]> {
    const polled: TaskId[] = [];
    const all = Promise.withResolvers<TaskId[]>();
    const handle = async (taskId: TaskId): Promise<void> => {
      polled.push(taskId);
      if (polled.length === count) all.resolve(polled);
    };
    const { url } = TestRedis;
    workers.push(
      createPollWorker({ url, vendor: 'dashscope', concurrency: 4, handle, onError: all.reject, keys: test.keys }),
    );
    return all.promise;
  }

  it('runs a job once, however often it is scheduled', async () => {
    const [taskId, last] = [newTaskId(), newTaskId()];
    for (let times = 0; times < 3; times += 1) await queue.schedule([{ taskId, number: 1, delayMs: 0 }]);
    expect(await queue.counts()).toEqual({ delayed: 0, due: 1 });
    await queue.schedule([{ taskId: last, number: 1, delayMs: 0 }]);
    expect(await listen(2)).toEqual([taskId, last]);
  });

  it('delays jobs, and polls a task at once with pollNow', async () => {
    const [later, now] = [newTaskId(), newTaskId()];
    await queue.schedule([
      { taskId: later, number: 1, delayMs: 600_000 },
      { taskId: now, number: 1, delayMs: 600_000 },
    ]);
    expect(await queue.counts()).toEqual({ delayed: 2, due: 0 });
    await queue.pollNow(now);
    expect(await listen(1)).toEqual([now]);
    expect(await queue.counts()).toMatchObject({ delayed: 2 });
  });

  it('lets a handler schedule the next poll', async () => {
    const taskId = newTaskId();
    const twice = Promise.withResolvers<void>();
    let polls = 0;
    const handle = async (): Promise<void> => {
      polls += 1;
      if (polls === 2) twice.resolve();
      else await queue.schedule([{ taskId, number: polls + 1, delayMs: 1 }]);
    };
    const { url } = TestRedis;
    workers.push(
      createPollWorker({ url, vendor: 'dashscope', concurrency: 1, handle, onError: twice.reject, keys: test.keys }),
    );
    await queue.schedule([{ taskId, number: 1, delayMs: 1 }]);
    await twice.promise;
    expect(polls).toBe(2);
  });
});
