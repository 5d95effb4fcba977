import type { TaskReading } from '@gateway/contracts';
import type { TaskCompletion, WorkerVideoTask } from '@gateway/postgres';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FinishTask } from '../completion/finish-task.service.js';
import type { TaskLease } from '../task/task-lease.service.js';
import { CHANNEL, fake, freezeClock, NOW_MS, RUNNING, restoreClock, task } from '../test-support/fakes.js';
import type { StatusResult } from '../upstream/fetch-status.service.js';
import type { FetchThrottledStatus, Postponed } from './fetch-throttled-status.service.js';
import { FollowTask } from './follow-task.service.js';
import type { PollScheduler } from './poll-scheduler.service.js';
import type { StopTask } from './stop-task.service.js';

const UNKNOWN_AFTER_MS = 120_000;

beforeEach(freezeClock);
afterEach(restoreClock);

const reading = (state: string, more: object = {}): StatusResult => ({
  kind: 'reading',
  reading: { state, native: { id: 'up-1' }, ...more } as unknown as TaskReading,
});

/** Follows the task once and returns every call of a collaborator, in order. */
async function follow(
  seen: WorkerVideoTask,
  status: StatusResult | Postponed,
  afterCancel: WorkerVideoTask | null = null,
): Promise<unknown[][]> {
  const calls: unknown[][] = [];
  const call = (name: string) => async (_task: unknown, detail?: unknown) => {
    calls.push([name, detail]);
  };
  const finish = async (one: WorkerVideoTask, completionFor: (one: WorkerVideoTask) => TaskCompletion) => {
    const { state, costNanoUsd, error, upstream } = completionFor(one);
    calls.push(['finish', { state, costNanoUsd, code: error?.code, upstream }]);
    return one;
  };
  const following = new FollowTask(
    fake<FetchThrottledStatus>({ fetch: async () => status }),
    fake<StopTask>({
      cancelForCustomer: async () => {
        calls.push(['cancelForCustomer', undefined]);
        return afterCancel;
      },
      expire: async () => void calls.push(['expire', undefined]),
    }),
    fake<FinishTask>({ finish, finishAsRead: async (_task, { state }) => void calls.push(['finishAsRead', state]) }),
    fake<PollScheduler>({
      afterReading: async (_task, _channel, { state }) => void calls.push(['afterReading', state]),
      afterFailure: async () => void calls.push(['afterFailure', undefined]),
      afterMiss: async () => void calls.push(['afterMiss', undefined]),
    }),
    fake<TaskLease>({ postpone: call('postpone') }),
    { unknownAfterMs: UNKNOWN_AFTER_MS },
  );
  await following.follow(seen, 'up-1', CHANNEL, RUNNING);
  return calls;
}

describe('FollowTask', () => {
  it('postpones a poll without a slot', async () => {
    expect(await follow(task(), { kind: 'not_yet', waitMs: 700 })).toEqual([['postpone', 700]]);
  });

  it.each(['succeeded', 'failed', 'cancelled', 'expired'])(
    'ends a task that its upstream reports as %s',
    async (state) => {
      expect(await follow(task(), reading(state))).toEqual([['finishAsRead', state]]);
    },
  );

  it('ends a task that succeeded after its deadline as succeeded: the customer pays for the video', async () => {
    const late = task({ expiresAtMs: NOW_MS - 1 });
    expect(await follow(late, reading('succeeded'))).toEqual([['finishAsRead', 'succeeded']]);
  });

  it.each(['queued', 'running'])('schedules the next poll of a task that is %s', async (state) => {
    expect(await follow(task(), reading(state))).toEqual([['afterReading', state]]);
  });

  it('expires a task that still runs at its deadline', async () => {
    expect(await follow(task({ expiresAtMs: NOW_MS }), reading('running'))).toEqual([['expire', undefined]]);
  });

  it('expires a task by the clock of PostgreSQL, and not by its own', async () => {
    const ahead = task({ expiresAtMs: NOW_MS - 60_000, clockAheadMs: 3_600_000 });
    expect(await follow(ahead, reading('running'))).toEqual([['afterReading', 'running']]);
    expect(await follow(ahead, { kind: 'failed', code: 'x' })).toEqual([['afterFailure', undefined]]);
    const behind = task({ clockAheadMs: -3_600_000 });
    expect(await follow(behind, reading('running'))).toEqual([['expire', undefined]]);
  });

  it('cancels before it expires, and continues a task whose cancellation was refused', async () => {
    const cancelling = task({ cancelOutcome: 'pending', expiresAtMs: NOW_MS });
    expect(await follow(cancelling, reading('running'))).toEqual([['cancelForCustomer', undefined]]);
    expect(await follow(cancelling, reading('running'), task())).toEqual([
      ['cancelForCustomer', undefined],
      ['afterReading', 'running'],
    ]);
  });

  it.each(['succeeded', 'failed'])('does not cancel a task that has already %s', async (state) => {
    const cancelling = task({ cancelOutcome: 'pending' });
    expect(await follow(cancelling, reading(state))).toEqual([['finishAsRead', state]]);
  });
});

describe('FollowTask without a reading', () => {
  it('backs off after a failed poll, and waits for the time that a throttling vendor states', async () => {
    expect(await follow(task(), { kind: 'failed', code: 'x' })).toEqual([['afterFailure', undefined]]);
    expect(await follow(task(), { kind: 'throttled', waitMs: 3_000 })).toEqual([['postpone', 3_000]]);
  });

  it.each([
    { kind: 'failed', code: 'x' },
    { kind: 'throttled', waitMs: 3_000 },
  ] as const)('retries $kind for a minute after the deadline, then expires the task at no cost', async (status) => {
    const almost = await follow(task({ expiresAtMs: NOW_MS - 59_999 }), status);
    expect(almost.map(([name]) => name)).toEqual([status.kind === 'failed' ? 'afterFailure' : 'postpone']);
    expect(await follow(task({ expiresAtMs: NOW_MS - 60_000 }), status)).toEqual([
      ['finish', { state: 'expired', costNanoUsd: '0', code: 'task_expired', upstream: null }],
    ]);
  });
});

describe.each([
  ['unknown', 'task_lost', null],
  ['no_video', 'video_missing', { id: 'up-1' }],
] as const)('FollowTask with a reading %s', (state, code, upstream) => {
  const failed = [['finish', { state: 'failed', costNanoUsd: '0', code, upstream }]];
  const long = { submittedAtMs: NOW_MS - UNKNOWN_AFTER_MS, firstMissAtMs: NOW_MS - UNKNOWN_AFTER_MS };

  it('polls again after too few misses, or misses over too short a time', async () => {
    expect(await follow(task(), reading(state))).toEqual([['afterMiss', undefined]]);
    expect(await follow(task({ ...long, missCount: 1 }), reading(state))).toEqual([['afterMiss', undefined]]);
    const recent = task({ ...long, missCount: 9, firstMissAtMs: NOW_MS - UNKNOWN_AFTER_MS + 1 });
    expect(await follow(recent, reading(state))).toEqual([['afterMiss', undefined]]);
  });

  it('fails the task at no cost after the third miss over a long time', async () => {
    expect(await follow(task({ ...long, missCount: 2 }), reading(state))).toEqual(failed);
  });

  it('fails the task at no cost at its deadline', async () => {
    expect(await follow(task({ expiresAtMs: NOW_MS }), reading(state))).toEqual(failed);
  });
});
