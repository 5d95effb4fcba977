import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ModelPace } from '../task/model-pace.service.js';
import type { PollJobs } from '../task/poll-jobs.service.js';
import type { TaskChangePublisher } from '../task/task-change-publisher.service.js';
import {
  CHANNEL,
  countOf,
  fake,
  freezeClock,
  NO_FAILPOINTS,
  restoreClock,
  silentLogger,
  task,
  testMetrics,
} from '../test-support/fakes.js';
import type { CancelUpstream } from '../upstream/cancel-upstream.service.js';
import { AcceptTask } from './accept-task.service.js';
import { OrphanCanceller } from './orphan-canceller.service.js';

beforeEach(freezeClock);
afterEach(restoreClock);

const submitting = task({ state: 'submitting', upstreamTaskId: null, version: 2 });

/** `accepted`: what each try to store the acceptance returns. `current`: the task as it is after a failed try. */
function accepting(accepted: readonly (WorkerVideoTask | null)[], current: WorkerVideoTask | null = null) {
  const results = [...accepted];
  const calls: unknown[][] = [];
  const metrics = testMetrics();
  const cancelling = fake<CancelUpstream>({
    cancel: async (id) => {
      calls.push(['cancel', id]);
      return 'stopped';
    },
  });
  const accept = new AcceptTask(
    fake<TaskStore>({
      accept: async ({ version }, { upstreamTaskId, publicId, nextPollMs }) => {
        calls.push(['accept', { version, upstreamTaskId, publicId, nextPollMs }]);
        return results.shift() ?? null;
      },
      find: async () => current,
    }),
    fake<ModelPace>({
      paceOf: async (_model, firstPollMs) => ({ usualMs: null, firstPollMs, fastestMs: 1_000, slowestMs: 30_000 }),
    }),
    fake<PollJobs>({ schedule: async (_vendor, jobs) => void calls.push(['schedule', jobs]) }),
    fake<TaskChangePublisher>({ publish: () => void calls.push(['publish']) }),
    new OrphanCanceller(cancelling, metrics, silentLogger()),
    NO_FAILPOINTS,
  );
  const run = (upstreamTaskId = 'up-1') =>
    accept.accept(submitting, { upstreamTaskId, channel: CHANNEL, attempts: [] });
  return { run, calls, metrics };
}

describe('AcceptTask', () => {
  it('stores the acceptance, publishes it and schedules the first poll', async () => {
    const accepted = task({ state: 'queued', pollNumber: 1 });
    const { run, calls } = accepting([accepted]);
    expect(await run()).toBe(accepted);
    const nextPollMs = expect.closeTo(5_000);
    expect(calls).toEqual([
      ['accept', { version: 2, upstreamTaskId: 'up-1', publicId: task().taskId, nextPollMs }],
      ['publish'],
      ['schedule', [{ taskId: task().taskId, number: 1, delayMs: nextPollMs }]],
    ]);
  });

  it('takes an id of Ark as the public id', async () => {
    const { run, calls } = accepting([task()]);
    await run('cgt-2026-abc');
    expect(calls[0]).toMatchObject(['accept', { publicId: 'cgt-2026-abc' }]);
  });

  it('tries again with a task that has changed meanwhile, and polls at once after a request to cancel', async () => {
    const { run, calls } = accepting([null, task()], { ...submitting, version: 3, cancelOutcome: 'pending' });
    await run();
    expect(calls.slice(0, 2)).toMatchObject([
      ['accept', { version: 2 }],
      ['accept', { version: 3, nextPollMs: 0 }],
    ]);
  });

  it('returns an acceptance that an earlier call has stored', async () => {
    const stored = task({ upstreamTaskId: 'up-1' });
    const { run, calls } = accepting([null], stored);
    expect(await run()).toBe(stored);
    expect(calls.map(([name]) => name)).toEqual(['accept']);
  });

  it('cancels the upstream task if the task has ended: no customer pays for it', async () => {
    const ended = task({ state: 'expired', upstreamTaskId: null });
    const { run, calls, metrics } = accepting([null], ended);
    expect(await run()).toBe(ended);
    expect(calls.map(([name]) => name)).toEqual(['accept', 'cancel']);
    expect(await countOf(metrics.orphans)).toBe(1);
  });

  it('throws if the task no longer exists', async () => {
    await expect(accepting([null], null).run()).rejects.toThrow('no longer exists');
  });
});
