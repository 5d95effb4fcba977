import { newAccountId, newRequestId, taskIdOf } from '@gateway/contracts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { TestRedis } from '../test-support/test-redis.js';
import { publishRequestEnd, publishTaskChange, subscribeTaskChanges, type TaskChange } from './task-changes.js';

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

it('sends the end of a request to its edge only', async () => {
  const received: string[] = [];
  const isLast = Promise.withResolvers<void>();
  const subscriptions = ['one', 'two'].map((edge) =>
    subscribeTaskChanges({
      url: TestRedis.url,
      onChange: () => isLast.resolve(),
      ends: { edge, onEnd: (end) => received.push(`${edge} ${end}`) },
      onError: isLast.reject,
      keys: test.keys,
    }),
  );
  await Promise.all(subscriptions.map(({ ready }) => ready));
  await publishRequestEnd(test.redis, 'two', '{"id":"req_a"}', test.keys);
  await publishTaskChange(test.redis, { taskId: taskIdOf(newRequestId()), accountId: newAccountId() }, test.keys);
  await isLast.promise;
  expect(received).toEqual(['two {"id":"req_a"}']);
  for (const subscription of subscriptions) subscription.close();
});

it('goes on after an end that it cannot read', async () => {
  const unreadable = new Error('not an end');
  const errors: Error[] = [];
  const changed = Promise.withResolvers<TaskChange>();
  const onEnd = () => {
    throw unreadable;
  };
  const subscription = subscribeTaskChanges({
    url: TestRedis.url,
    onChange: changed.resolve,
    ends: { edge: 'one', onEnd },
    onError: (error) => errors.push(error),
    keys: test.keys,
  });
  await subscription.ready;
  await publishRequestEnd(test.redis, 'one', 'of another release', test.keys);
  await publishTaskChange(test.redis, { taskId: taskIdOf(newRequestId()), accountId: newAccountId() }, test.keys);
  await changed.promise;
  expect(errors).toEqual([unreadable]);
  subscription.close();
});
