import { newAccountId, newRequestId, taskIdOf } from '@gateway/contracts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { TestRedis } from '../test-support/test-redis.js';
import { publishTaskChange, subscribeTaskChanges, type TaskChange } from './task-changes.js';

let test: TestRedis;

beforeEach(async () => {
  test = await TestRedis.open();
});

afterEach(() => test.close());

it('delivers a change to every subscriber', async () => {
  const change: TaskChange = { taskId: taskIdOf(newRequestId()), accountId: newAccountId() };
  const received = [1, 2].map(() => Promise.withResolvers<TaskChange>());
  const subscriptions = received.map(({ resolve, reject }) =>
    subscribeTaskChanges({ url: TestRedis.url, onChange: resolve, onError: reject, keys: test.keys }),
  );
  await Promise.all(subscriptions.map(({ ready }) => ready));
  await publishTaskChange(test.redis, change, test.keys);
  expect(await Promise.all(received.map(({ promise }) => promise))).toEqual([change, change]);
  for (const subscription of subscriptions) subscription.close();
});
