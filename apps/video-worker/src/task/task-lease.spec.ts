import type { PollUpdate, TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import { fake, TASK, task } from '../test-support/fakes.js';
import type { WorkerConfig } from '../tokens.js';
import type { PollJobs } from './poll-jobs.service.js';
import type { TaskChangePublisher } from './task-change-publisher.service.js';
import { TaskLease } from './task-lease.service.js';

const UPDATE: PollUpdate = {
  state: 'running',
  startedAtMs: null,
  progress: 50,
  upstream: null,
  failures: 0,
  missCount: 0,
  nextPollMs: 5_000,
};

function leasing(store: Partial<TaskStore>) {
  const jobs: unknown[] = [];
  const published: WorkerVideoTask[] = [];
  const lease = new TaskLease(
    fake<TaskStore>(store),
    'worker-1',
    fake<PollJobs>({ schedule: async (_vendor, [job]) => void jobs.push(job) }),
    fake<TaskChangePublisher>({ publish: (changed) => void published.push(changed as WorkerVideoTask) }),
    { pollTimeoutMs: 15_000, pollFastestMs: 1_000 } as WorkerConfig,
  );
  return { lease, jobs, published };
}

describe('TaskLease', () => {
  it('claims a task for three upstream calls', async () => {
    const claims: unknown[] = [];
    const { lease } = leasing({
      claimPoll: async (...claim) => {
        claims.push(claim);
        return null;
      },
    });
    expect(await lease.claim(TASK.taskId)).toBeNull();
    expect(claims).toEqual([[TASK.taskId, 'worker-1', 50_000]]);
  });

  it('schedules the next poll of a postponed task, and none of a task that another worker holds', async () => {
    const held = leasing({ postponePoll: async () => task({ pollNumber: 8 }) });
    await held.lease.postpone(task(), 700);
    expect(held.jobs).toEqual([{ taskId: TASK.taskId, number: 8, delayMs: 700 }]);
    const lost = leasing({ postponePoll: async () => null });
    await lost.lease.postpone(task(), 700);
    expect(lost.jobs).toEqual([]);
  });

  it('polls soon while a customer waits for a cancellation', async () => {
    const { lease, jobs } = leasing({ postponePoll: async () => task({ cancelOutcome: 'pending' }) });
    await lease.postpone(task(), 30_000);
    expect(jobs).toMatchObject([{ delayMs: 1_000 }]);
  });

  it.each([
    ['a new state', task({ state: 'queued' }), task({ state: 'running' }), 1],
    ['new progress', task({ progress: 40 }), task({ progress: 50 }), 1],
    ['nothing new', task({ progress: 50 }), task({ progress: 50 }), 0],
  ])('publishes %s that a poll has found', async (_case, seen, stored, count) => {
    const { lease, jobs, published } = leasing({ recordPoll: async () => stored });
    await lease.record(seen, () => UPDATE);
    expect(published).toHaveLength(count);
    expect(jobs).toMatchObject([{ delayMs: 5_000 }]);
  });

  it('renders the record of the task after the update', async () => {
    const records: unknown[] = [];
    const { lease } = leasing({
      recordPoll: async (_seen, _update, record) => {
        records.push(record);
        return task();
      },
    });
    await lease.record(task({ state: 'queued', progress: 60 }), () => UPDATE);
    expect(records).toMatchObject([{ status: 'running', progress: 60 }]);
  });

  it('computes the update again if the task has changed meanwhile', async () => {
    const changed = task({ version: 4 });
    const seen: number[] = [];
    const { lease, jobs } = leasing({
      recordPoll: async ({ version }) => (version === 4 ? task({ version: 5 }) : null),
      find: async () => changed,
    });
    await lease.record(task({ version: 3 }), ({ version }) => {
      seen.push(version);
      return UPDATE;
    });
    expect(seen).toEqual([3, 4]);
    expect(jobs).toHaveLength(1);
  });

  it.each([
    ['has ended', task({ state: 'cancelled' })],
    ['no longer exists', null],
  ])('drops the update of a task that %s', async (_case, current) => {
    const { lease, jobs, published } = leasing({ recordPoll: async () => null, find: async () => current });
    await lease.record(task(), () => UPDATE);
    expect([jobs, published]).toEqual([[], []]);
  });

  it('publishes a refused cancellation, or returns the task as another worker has changed it', async () => {
    const refused = task({ cancelOutcome: 'refused' });
    const stored = leasing({ recordCancelRefused: async () => refused });
    expect(await stored.lease.recordCancelRefused(task())).toBe(refused);
    expect(stored.published).toEqual([refused]);
    const ended = task({ state: 'succeeded' });
    const late = leasing({ recordCancelRefused: async () => null, find: async () => ended });
    expect(await late.lease.recordCancelRefused(task())).toBe(ended);
    expect(late.published).toEqual([]);
  });
});
