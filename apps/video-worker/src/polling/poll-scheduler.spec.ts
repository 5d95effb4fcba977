import type { PollUpdate, WorkerVideoTask } from '@gateway/postgres';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ModelPace } from '../task/model-pace.service.js';
import type { TaskLease } from '../task/task-lease.service.js';
import { CHANNEL, fake, freezeClock, NOW_MS, restoreClock, task } from '../test-support/fakes.js';
import type { ChannelThrottle } from '../upstream/channel-throttle.service.js';
import { type OpenReading, PollScheduler } from './poll-scheduler.service.js';

beforeEach(freezeClock);
afterEach(restoreClock);

const RUNS = { state: 'running', native: { id: 'up-1' } } as unknown as OpenReading;

/** Records one poll of a task that has changed to `current` meanwhile. */
function scheduling(minIntervalMs = 0, current: (seen: WorkerVideoTask) => WorkerVideoTask = (seen) => seen) {
  const updates: PollUpdate[] = [];
  const scheduler = new PollScheduler(
    fake<ModelPace>({
      paceOf: async () => ({ usualMs: 100_000, firstPollMs: 5_000, fastestMs: 1_000, slowestMs: 30_000 }),
    }),
    fake<ChannelThrottle>({ minIntervalMs: async () => minIntervalMs }),
    fake<TaskLease>({ record: async (seen, updateFor) => void updates.push(updateFor(current(seen))) }),
    { unknownAfterMs: 60_000 },
  );
  return { scheduler, updates };
}

describe('PollScheduler.afterReading', () => {
  it('stores the reading, forgets failures and misses, and keeps to the pace of the model', async () => {
    const { scheduler, updates } = scheduling();
    await scheduler.afterReading(task({ pollFailures: 4, missCount: 2 }), CHANNEL, { ...RUNS, progress: 41.6 });
    expect(updates).toEqual([
      {
        state: 'running',
        startedAtMs: NOW_MS,
        progress: 42,
        upstream: { id: 'up-1' },
        failures: 0,
        missCount: 0,
        nextPollMs: expect.closeTo(5_000, -1),
      },
    ]);
  });

  it('stores no start and no progress that the upstream does not report', async () => {
    const { scheduler, updates } = scheduling();
    await scheduler.afterReading(task(), CHANNEL, { ...RUNS, state: 'queued' });
    expect(updates).toMatchObject([{ state: 'queued', startedAtMs: null, progress: null }]);
  });

  it('limits an upstream clock to the lifetime of the task', async () => {
    const { scheduler, updates } = scheduling();
    await scheduler.afterReading(task(), CHANNEL, { ...RUNS, startedAtMs: 1 });
    expect(updates[0]?.startedAtMs).toBe(task().createdAtMs);
  });

  it('never polls faster than the rate of the channel allows', async () => {
    const { scheduler, updates } = scheduling(20_000);
    await scheduler.afterReading(task(), CHANNEL, RUNS);
    expect(updates[0]?.nextPollMs).toBeCloseTo(20_000);
  });

  it('polls at the deadline at the latest, as the row states it by then', async () => {
    const { scheduler, updates } = scheduling(0, (seen) => ({ ...seen, expiresAtMs: NOW_MS + 2_000 }));
    await scheduler.afterReading(task(), CHANNEL, RUNS);
    expect(updates[0]?.nextPollMs).toBe(2_000);
  });

  it('slows down if polls run late', async () => {
    const { scheduler, updates } = scheduling();
    const late = task({ submittedAtMs: NOW_MS - 1_000, nextPollAtMs: NOW_MS - 10_000 });
    await scheduler.afterReading(late, CHANNEL, RUNS);
    expect(updates[0]?.nextPollMs).toBeCloseTo(59_000);
  });
});

describe('PollScheduler without a reading', () => {
  const nothing = { state: null, startedAtMs: null, progress: null, upstream: null };

  it('counts a failure and doubles the wait', async () => {
    const { scheduler, updates } = scheduling();
    await scheduler.afterFailure(task({ pollFailures: 2, missCount: 1 }), CHANNEL);
    expect(updates).toEqual([{ ...nothing, failures: 3, missCount: 1, nextPollMs: expect.closeTo(8_000) }]);
  });

  it('counts a failure of the row as it is by then', async () => {
    const { scheduler, updates } = scheduling(0, (seen) => ({ ...seen, pollFailures: 7 }));
    await scheduler.afterFailure(task(), CHANNEL);
    expect(updates[0]).toMatchObject({ failures: 8, nextPollMs: 30_000 });
  });

  it('counts a miss and polls often enough to decide in time', async () => {
    const { scheduler, updates } = scheduling();
    await scheduler.afterMiss(task({ pollFailures: 2, missCount: 1 }), CHANNEL);
    expect(updates).toEqual([{ ...nothing, failures: 2, missCount: 2, nextPollMs: 20_000 }]);
  });
});
