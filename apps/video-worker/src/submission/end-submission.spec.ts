import { GatewayError } from '@gateway/contracts';
import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import type { FinishTask } from '../completion/finish-task.service.js';
import type { PollJobs } from '../task/poll-jobs.service.js';
import type { TaskChangePublisher } from '../task/task-change-publisher.service.js';
import { countOf, fake, silentLogger, task, testMetrics } from '../test-support/fakes.js';
import { EndSubmission } from './end-submission.service.js';
import { MarkUnknown } from './mark-unknown.service.js';

const ERROR = new GatewayError('upstream_error', 'Broken.');
const TIMED_OUT = new GatewayError('upstream_timeout', 'Late.');
const ATTEMPTS = [{ channel: 'dashscope-1' }] as unknown as WorkerVideoTask['attempts'];
const submitting = (changes: Partial<WorkerVideoTask> = {}) =>
  task({ state: 'submitting', upstreamTaskId: null, ...changes });

function ending(current: WorkerVideoTask | null | Error) {
  const calls: unknown[][] = [];
  const end = new EndSubmission(
    fake<TaskStore>({
      find: async () => {
        if (current instanceof Error) throw current;
        return current;
      },
    }),
    fake<FinishTask>({
      finish: async (seen, completionFor) => {
        const { state, costNanoUsd, error, attempts, freesIdempotencyKey } = completionFor(seen);
        calls.push(['finish', { state, costNanoUsd, code: error?.code, attempts, freesIdempotencyKey }]);
        return seen;
      },
    }),
    fake<MarkUnknown>({ mark: async (_task, attempts) => void calls.push(['mark', attempts]) }),
    silentLogger(),
  );
  return { end, calls };
}

const FAILED = { state: 'failed', costNanoUsd: '0', attempts: ATTEMPTS, freesIdempotencyKey: true };

describe('EndSubmission', () => {
  it('fails a rejected submission at no cost and frees its idempotency key', async () => {
    const { end, calls } = ending(null);
    await end.fail(submitting(), ERROR, ATTEMPTS);
    expect(calls).toEqual([['finish', { ...FAILED, code: 'upstream_error' }]]);
  });

  it('fails a task if no upstream was called', async () => {
    const { end, calls } = ending(submitting({ upstreamCalledAtMs: null }));
    expect(await end.end(submitting(), ERROR, ATTEMPTS)).toBe(ERROR);
    expect(calls).toEqual([['finish', { ...FAILED, code: 'upstream_error' }]]);
  });

  it.each([
    ['without an idempotency key forbids a retry', null, true],
    ['under an idempotency key allows a retry, which finds the task', 'key', undefined],
  ])('hands an ambiguous submission to recovery; the error %s', async (_case, idempotencyKey, mayHaveBegun) => {
    const { end, calls } = ending(submitting({ idempotencyKey }));
    const error = await end.end(submitting(), TIMED_OUT, ATTEMPTS);
    expect(calls).toEqual([['mark', ATTEMPTS]]);
    expect(error.code).toBe('upstream_timeout');
    expect(error.message).toContain(task().publicId);
    expect(error.toRecord().mayHaveBegun).toBe(mayHaveBegun);
  });

  it('reports other ambiguous errors as upstream_error', async () => {
    const { end } = ending(submitting());
    expect((await end.end(submitting(), new GatewayError('internal_error', 'x'), [])).code).toBe('upstream_error');
  });

  it.each([
    ['has ended', task({ state: 'failed' })],
    ['no longer exists', null],
  ])('does nothing if the task %s', async (_case, current) => {
    const { end, calls } = ending(current);
    expect(await end.end(submitting(), ERROR, [])).toBe(ERROR);
    expect(calls).toEqual([]);
  });

  it('changes nothing if another worker already recovers the task', async () => {
    const { end, calls } = ending(task({ state: 'submit_unknown' }));
    expect((await end.end(submitting(), TIMED_OUT, [])).message).toContain('did not confirm');
    expect(calls).toEqual([]);
  });

  it('leaves the task to the sweep if the database is unavailable', async () => {
    const { end, calls } = ending(new Error('away'));
    expect((await end.end(submitting(), TIMED_OUT, [])).message).toContain('did not confirm');
    expect(calls).toEqual([]);
  });
});

describe('MarkUnknown', () => {
  function marking(stored: WorkerVideoTask | null) {
    const calls: unknown[][] = [];
    const metrics = testMetrics();
    const mark = new MarkUnknown(
      fake<TaskStore>({ recordUnknownSubmission: async () => stored }),
      fake<PollJobs>({ schedule: async (vendor, jobs) => void calls.push(['schedule', vendor, jobs]) }),
      fake<TaskChangePublisher>({ publish: () => void calls.push(['publish']) }),
      { pollFastestMs: 1_000 },
      metrics,
      silentLogger(),
    );
    return { mark, calls, metrics };
  }

  it('schedules the first lookup and publishes the change', async () => {
    const { mark, calls, metrics } = marking(task({ pollNumber: 2 }));
    await mark.mark(submitting(), ATTEMPTS);
    const job = { taskId: task().taskId, number: 2, delayMs: 1_000 };
    expect(calls).toEqual([['publish'], ['schedule', 'dashscope', [job]]]);
    expect(await countOf(metrics.submitUnknown)).toBe(1);
  });

  it('does nothing if the task has changed meanwhile', async () => {
    const { mark, calls, metrics } = marking(null);
    await mark.mark(submitting(), ATTEMPTS);
    expect(calls).toEqual([]);
    expect(await countOf(metrics.submitUnknown)).toBe(0);
  });
});
