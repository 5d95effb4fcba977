import type { TaskId, Vendor } from '@gateway/contracts';
import type { OverdueTask, WorkerVideoTask } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import type { EndSubmission } from '../submission/end-submission.service.js';
import type { PollJobs } from '../task/poll-jobs.service.js';
import { countOf, fake, task, testMetrics } from '../test-support/fakes.js';
import { SweepTasks } from './sweep-tasks.service.js';

const BROKEN = 'task_broken' as TaskId;

interface World {
  readonly abandoned?: readonly WorkerVideoTask[];
  readonly overdue?: readonly OverdueTask[];
  readonly unserved?: readonly string[];
}

const overdueTask = (id: string, vendor: Vendor, pollNumber: number): OverdueTask => ({
  taskId: id as TaskId,
  vendor,
  pollNumber,
});

function sweeping({ abandoned = [], overdue = [], unserved = [] }: World) {
  const calls: unknown[][] = [];
  const metrics = testMetrics();
  const stop = new AbortController();
  const sweep = new SweepTasks(
    {
      abandoned: async () => abandoned,
      overdue: async () => overdue,
      expired: async () => unserved.map((id) => ({ taskId: id as TaskId })),
    },
    fake<PollJobs>({ schedule: async (vendor, jobs) => void calls.push(['schedule', vendor, jobs]) }),
    fake<EndSubmission>({
      failOrMarkUnknown: async ({ taskId }, { code }, attempts) => {
        calls.push(['end', taskId, code, attempts]);
        if (taskId === BROKEN) throw new Error('the row is damaged');
        return 'failed';
      },
    }),
    {
      poll: async (taskId) => {
        calls.push(['poll', taskId]);
        if (taskId === BROKEN) throw new Error('the row is damaged');
        if (taskId === 'last') stop.abort();
      },
    },
    metrics,
  );
  return { run: () => sweep.sweep(stop.signal), calls, metrics };
}

describe('SweepTasks', () => {
  it('ends every submission whose worker died, with its attempts', async () => {
    const attempts = [{ channel: 'dashscope-1', startedAtMs: 1 }] as unknown as WorkerVideoTask['attempts'];
    const { run, calls, metrics } = sweeping({ abandoned: [task({ attempts }), task()] });
    await run();
    expect(calls).toEqual([
      ['end', task().taskId, 'worker_lost', attempts],
      ['end', task().taskId, 'worker_lost', []],
    ]);
    expect(await countOf(metrics.abandoned)).toBe(2);
  });

  it('schedules overdue polls at once, in one batch for each vendor', async () => {
    const overdue = [overdueTask('a', 'ark', 3), overdueTask('b', 'xai', 1), overdueTask('c', 'ark', 9)];
    const { run, calls, metrics } = sweeping({ overdue });
    await run();
    expect(calls).toEqual([
      [
        'schedule',
        'ark',
        [
          { taskId: 'a', number: 3, delayMs: 0 },
          { taskId: 'c', number: 9, delayMs: 0 },
        ],
      ],
      ['schedule', 'xai', [{ taskId: 'b', number: 1, delayMs: 0 }]],
    ]);
    expect(await countOf(metrics.jobsRescheduled)).toBe(3);
  });

  it('recovers all others if one task fails, and says so', async () => {
    const { run, calls } = sweeping({
      abandoned: [task({ taskId: BROKEN }), task()],
      overdue: [overdueTask('a', 'ark', 3)],
      unserved: [BROKEN, 'last'],
    });
    await expect(run()).rejects.toThrow('the row is damaged');
    expect(calls.map(([step, id]) => [step, id])).toEqual([
      ['end', BROKEN],
      ['end', task().taskId],
      ['schedule', 'ark'],
      ['poll', BROKEN],
      ['poll', 'last'],
    ]);
  });

  it('polls tasks that no worker serves, until this worker shuts down', async () => {
    const { run, calls } = sweeping({ unserved: ['first', 'last', 'never'] });
    await run();
    expect(calls).toEqual([
      ['poll', 'first'],
      ['poll', 'last'],
    ]);
  });
});
