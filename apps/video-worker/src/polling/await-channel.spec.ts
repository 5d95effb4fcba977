import type { TaskCompletion } from '@gateway/postgres';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FinishTask } from '../completion/finish-task.service.js';
import type { TaskLease } from '../task/task-lease.service.js';
import {
  countOf,
  fake,
  freezeClock,
  NOW_MS,
  restoreClock,
  silentLogger,
  task,
  testMetrics,
} from '../test-support/fakes.js';
import { AwaitChannel } from './await-channel.service.js';

beforeEach(freezeClock);
afterEach(restoreClock);

function awaiting() {
  const delays: number[] = [];
  const completions: TaskCompletion[] = [];
  const metrics = testMetrics();
  const channel = new AwaitChannel(
    fake<FinishTask>({
      finish: async (seen, completionFor) => {
        completions.push(completionFor(seen));
        return seen;
      },
    }),
    fake<TaskLease>({ postpone: async (_task, delayMs) => void delays.push(delayMs) }),
    { pollSlowestMs: 30_000 },
    metrics,
    silentLogger(),
  );
  return { channel, delays, completions, metrics };
}

describe('AwaitChannel', () => {
  it('postpones the task until its deadline at the latest', async () => {
    const { channel, delays, completions, metrics } = awaiting();
    await channel.wait(task());
    await channel.wait(task({ expiresAtMs: NOW_MS + 400 }));
    expect([delays, completions]).toEqual([[30_000, 400], []]);
    expect(await countOf(metrics.lostChannels)).toBe(2);
  });

  it('expires the task at no cost at its deadline', async () => {
    const { channel, delays, completions } = awaiting();
    await channel.wait(task({ expiresAtMs: NOW_MS }));
    expect(delays).toEqual([]);
    expect(completions).toMatchObject([{ state: 'expired', costNanoUsd: '0', error: { code: 'task_unreachable' } }]);
  });
});
