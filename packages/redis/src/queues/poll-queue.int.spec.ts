import { newRequestId, type TaskId, taskIdOf } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestRedis } from '../test-support/test-redis.js';
import { createPollQueue, createPollWorker, type PollQueue, type PollWorker } from './poll-queue.js';

describe('alarms of video tasks', () => {
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

  /** Collects what rings; resolves once so many alarms have rung. */
  function listen(count: number): Promise<TaskId[]> {
    const rung: TaskId[] = [];
    const all = Promise.withResolvers<TaskId[]>();
    const handle = async (taskId: TaskId): Promise<void> => {
      rung.push(taskId);
      if (rung.length === count) all.resolve(rung);
    };
    const { url } = TestRedis;
    workers.push(
      createPollWorker({ url, vendor: 'dashscope', concurrency: 4, handle, onError: all.reject, keys: test.keys }),
    );
    return all.promise;
  }

  it('ring once, however often they are set', async () => {
    const [taskId, last] = [newTaskId(), newTaskId()];
    for (let times = 0; times < 3; times += 1) await queue.schedule([{ taskId, number: 1, delayMs: 0 }]);
    expect(await queue.counts()).toEqual({ delayed: 0, due: 1 });
    await queue.schedule([{ taskId: last, number: 1, delayMs: 0 }]);
    expect(await listen(2)).toEqual([taskId, last]);
  });

  it('wait for their time, unless a task is to be looked at now', async () => {
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

  it('may be set by the one that rings', async () => {
    const taskId = newTaskId();
    const twice = Promise.withResolvers<void>();
    let rung = 0;
    const handle = async (): Promise<void> => {
      rung += 1;
      if (rung === 2) twice.resolve();
      else await queue.schedule([{ taskId, number: rung + 1, delayMs: 1 }]);
    };
    const { url } = TestRedis;
    workers.push(
      createPollWorker({ url, vendor: 'dashscope', concurrency: 1, handle, onError: twice.reject, keys: test.keys }),
    );
    await queue.schedule([{ taskId, number: 1, delayMs: 1 }]);
    await twice.promise;
    expect(rung).toBe(2);
  });
});
