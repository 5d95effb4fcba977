import type { TaskReading } from '@gateway/contracts';
import type { WorkerVideoTask } from '@gateway/postgres';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FinishTask } from '../completion/finish-task.service.js';
import type { TaskLease } from '../task/task-lease.service.js';
import {
  CHANNEL,
  countOf,
  fake,
  freezeClock,
  RUNNING,
  restoreClock,
  task,
  testMetrics,
} from '../test-support/fakes.js';
import type { CancelOutcome, CancelUpstream } from '../upstream/cancel-upstream.service.js';
import type { FetchStatus, StatusResult } from '../upstream/fetch-status.service.js';
import { StopTask } from './stop-task.service.js';

beforeEach(freezeClock);
afterEach(restoreClock);

const cancelling = task({ cancelOutcome: 'pending' });
const refused = task({ cancelOutcome: 'refused' });
const FAILED: StatusResult = { kind: 'failed', code: 'x' };

const reading = (state: string): StatusResult => ({
  kind: 'reading',
  reading: { state, native: { state } } as unknown as TaskReading,
});

function stopping(outcome: CancelOutcome, status: StatusResult, afterRefusal: WorkerVideoTask | null = refused) {
  const calls: unknown[] = [];
  const metrics = testMetrics();
  const stop = new StopTask(
    fake<CancelUpstream>({ cancel: async () => outcome }),
    fake<FetchStatus>({
      fetch: async () => {
        calls.push('fetch');
        return status;
      },
    }),
    fake<FinishTask>({
      finish: async (seen, completionFor) => {
        const { state, costNanoUsd, error, upstream } = completionFor(seen);
        calls.push({ state, costNanoUsd, code: error?.code, upstream });
        return seen;
      },
      finishAsRead: async (_task, { state }) => void calls.push(`finishAsRead ${state}`),
    }),
    fake<TaskLease>({
      recordCancelRefused: async () => {
        calls.push('recordCancelRefused');
        return afterRefusal;
      },
    }),
    metrics,
  );
  return { stop, calls, metrics };
}

describe('StopTask.cancelForCustomer', () => {
  it('releases the hold if the upstream has cancelled the task', async () => {
    const { stop, calls, metrics } = stopping('stopped', reading('cancelled'));
    expect(await stop.cancelForCustomer(cancelling, 'up-1', CHANNEL, RUNNING)).toBeNull();
    const upstream = { state: 'cancelled' };
    expect(calls).toEqual(['fetch', { state: 'cancelled', costNanoUsd: '0', code: 'task_cancelled', upstream }]);
    expect(await countOf(metrics.cancellations)).toBe(1);
  });

  it('charges a task that succeeded before the cancellation arrived', async () => {
    const { stop, calls } = stopping('stopped', reading('succeeded'));
    expect(await stop.cancelForCustomer(cancelling, 'up-1', CHANNEL, RUNNING)).toBeNull();
    expect(calls).toEqual(['fetch', 'finishAsRead succeeded']);
  });

  it('trusts the cancellation if the status cannot be fetched', async () => {
    const { stop, calls } = stopping('stopped', FAILED);
    expect(await stop.cancelForCustomer(cancelling, 'up-1', CHANNEL, RUNNING)).toBeNull();
    expect(calls).toEqual(['fetch', { state: 'cancelled', costNanoUsd: '0', code: 'task_cancelled', upstream: null }]);
  });

  it('records a refusal and continues the task', async () => {
    const { stop, calls } = stopping('refused', FAILED);
    expect(await stop.cancelForCustomer(cancelling, 'up-1', CHANNEL, RUNNING)).toBe(refused);
    expect(calls).toEqual(['recordCancelRefused']);
  });

  it('continues an ambiguous cancellation without a change: the next poll retries it', async () => {
    const { stop, calls } = stopping('unknown', FAILED);
    expect(await stop.cancelForCustomer(cancelling, 'up-1', CHANNEL, RUNNING)).toBe(cancelling);
    expect(calls).toEqual([]);
  });
});

describe('StopTask.expire', () => {
  it.each(['stopped', 'refused', 'unknown'] as const)(
    'releases the hold if the cancellation is %s',
    async (outcome) => {
      const { stop, calls } = stopping(outcome, FAILED);
      await stop.expire(task(), 'up-1', CHANNEL, RUNNING);
      expect(calls).toEqual([{ state: 'expired', costNanoUsd: '0', code: 'task_expired', upstream: null }]);
    },
  );
});
