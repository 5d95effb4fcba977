import { NO_TRACING } from '@gateway/observability';
import type { WorkerVideoTask } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import type { RecoverSubmission } from '../recovery/recover-submission.service.js';
import type { TaskChannel, TaskChannels } from '../task/task-channels.js';
import type { TaskLease } from '../task/task-lease.service.js';
import { CHANNEL, fake, RUNNING, TASK, task } from '../test-support/fakes.js';
import type { AwaitChannel } from './await-channel.service.js';
import type { FollowTask } from './follow-task.service.js';
import { PollTask } from './poll-task.service.js';

function polling(claimed: WorkerVideoTask | null, channel: TaskChannel | undefined, failure?: Error) {
  const calls: string[] = [];
  const called = (name: string) => async () => {
    calls.push(name);
    if (failure !== undefined) throw failure;
  };
  const poll = new PollTask(
    fake<TaskLease>({
      claim: async () => claimed,
      postpone: async (_task, delayMs) => void calls.push(`postpone ${delayMs}`),
    }),
    fake<TaskChannels>({ channelOf: () => channel }),
    fake<FollowTask>({ follow: called('follow') }),
    fake<RecoverSubmission>({ recover: called('recover') }),
    fake<AwaitChannel>({ wait: called('wait') }),
    NO_TRACING,
  );
  return { poll, calls };
}

describe('PollTask', () => {
  it('does nothing without the lease', async () => {
    const { poll, calls } = polling(null, CHANNEL);
    await poll.poll(TASK.taskId, RUNNING);
    expect(calls).toEqual([]);
  });

  it.each([
    ['follows a task that an upstream has accepted', task(), CHANNEL, 'follow'],
    ['recovers a submission without an upstream id', task({ upstreamTaskId: null }), CHANNEL, 'recover'],
    ['waits for a channel that is not configured', task(), undefined, 'wait'],
    ['waits for a missing channel before it recovers', task({ upstreamTaskId: null }), undefined, 'wait'],
  ])('%s', async (_case, claimed, channel, expected) => {
    const { poll, calls } = polling(claimed, channel);
    await poll.poll(TASK.taskId, RUNNING);
    expect(calls).toEqual([expected]);
  });

  it('fails the job after an error: the lease expires and the sweep reschedules the task', async () => {
    const { poll, calls } = polling(task(), CHANNEL, new Error('broken'));
    await expect(poll.poll(TASK.taskId, RUNNING)).rejects.toThrow('broken');
    expect(calls).toEqual(['follow']);
  });

  it('releases the lease at once if the worker shuts down', async () => {
    const { poll, calls } = polling(task(), CHANNEL, new Error('aborted'));
    await poll.poll(TASK.taskId, AbortSignal.abort());
    expect(calls).toEqual(['follow', 'postpone 0']);
  });
});
