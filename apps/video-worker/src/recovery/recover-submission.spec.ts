import type { PollUpdate, WorkerVideoTask } from '@gateway/postgres';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FinishTask } from '../completion/finish-task.service.js';
import type { AcceptTask } from '../submission/accept-task.service.js';
import type { TaskLease } from '../task/task-lease.service.js';
import {
  CHANNEL,
  countOf,
  fake,
  freezeClock,
  NOW_MS,
  RUNNING,
  restoreClock,
  silentLogger,
  task,
  testMetrics,
} from '../test-support/fakes.js';
import type { ChannelThrottle } from '../upstream/channel-throttle.service.js';
import type { FindSubmission, LookupResult } from './find-submission.service.js';
import { RecoverSubmission } from './recover-submission.service.js';

const CONFIG = { unknownAfterMs: 120_000, submitTimeoutMs: 60_000, pollFastestMs: 1_000, pollSlowestMs: 30_000 };

beforeEach(freezeClock);
afterEach(restoreClock);

const lost = (changes: Partial<WorkerVideoTask> = {}) =>
  task({ state: 'submit_unknown', upstreamTaskId: null, submittedAtMs: null, ...changes });

async function recover(seen: WorkerVideoTask, result: LookupResult, retryAfterMs = 0) {
  const calls: unknown[][] = [];
  const metrics = testMetrics();
  const recovering = new RecoverSubmission(
    fake<ChannelThrottle>({ waitForSlot: async () => ({ retryAfterMs }) }),
    fake<FindSubmission>({ find: async () => result }),
    fake<AcceptTask>({
      accept: async (one, { upstreamTaskId }) => {
        calls.push(['accept', upstreamTaskId]);
        return one;
      },
    }),
    fake<FinishTask>({
      finish: async (one, completionFor) => {
        const { state, costNanoUsd, error } = completionFor(one);
        calls.push(['finish', state, costNanoUsd, error?.code]);
        return one;
      },
    }),
    fake<TaskLease>({
      postpone: async (_task, delayMs) => void calls.push(['postpone', delayMs]),
      record: async (one, updateFor) => {
        const { missCount, nextPollMs, failures }: PollUpdate = updateFor(one);
        calls.push(['record', { missCount, nextPollMs, failures }]);
      },
    }),
    CONFIG,
    metrics,
    silentLogger(),
  );
  await recovering.recover(seen, CHANNEL, RUNNING);
  return { calls, lookups: await countOf(metrics.lookups) };
}

describe('RecoverSubmission', () => {
  it('postpones the lookup without a slot, and does not count it', async () => {
    expect(await recover(lost(), { kind: 'absent' }, 700)).toEqual({ calls: [['postpone', 700]], lookups: 0 });
  });

  it('accepts a submission that was found, at its deadline too', async () => {
    const found = { kind: 'found', upstreamTaskId: 'up-7' } as const;
    expect(await recover(lost(), found)).toEqual({ calls: [['accept', 'up-7']], lookups: 1 });
    expect((await recover(lost({ expiresAtMs: NOW_MS }), found)).calls).toEqual([['accept', 'up-7']]);
  });

  it.each(['absent', 'unclear', 'unlisted', 'failed'] as const)(
    'gives up at the deadline at no cost if the lookup is %s',
    async (kind) => {
      const { calls } = await recover(lost({ expiresAtMs: NOW_MS, missCount: 9, upstreamCalledAtMs: 0 }), { kind });
      expect(calls).toEqual([['finish', 'expired', '0', 'submission_unknown']]);
    },
  );

  it('fails at no cost after the third absence, long after the submission', async () => {
    const long = { missCount: 2, upstreamCalledAtMs: NOW_MS - 180_000 };
    expect((await recover(lost(long), { kind: 'absent' })).calls).toEqual([
      ['finish', 'failed', '0', 'submission_lost'],
    ]);
  });

  it.each([
    ['too few absences', { missCount: 1, upstreamCalledAtMs: NOW_MS - 180_000 }, 2],
    ['a submission too recent', { missCount: 8, upstreamCalledAtMs: NOW_MS - 179_999 }, 9],
  ])('looks up again after %s', async (_case, changes, missCount) => {
    const { calls } = await recover(lost(changes), { kind: 'absent' });
    expect(calls).toEqual([['record', { missCount, nextPollMs: 5_000, failures: 0 }]]);
  });

  it.each(['unclear', 'failed'] as const)('never concludes an absence from a lookup that is %s', async (kind) => {
    const { calls } = await recover(lost({ missCount: 9, upstreamCalledAtMs: 0 }), { kind });
    expect(calls).toEqual([['record', { missCount: 0, nextPollMs: 5_000, failures: 0 }]]);
  });

  it('returns the money once the call has timed out if the upstream has no list', async () => {
    const early = await recover(lost({ upstreamCalledAtMs: NOW_MS - 20_000 }), { kind: 'unlisted' });
    expect(early.calls).toEqual([['record', { missCount: 0, nextPollMs: 40_000, failures: 0 }]]);
    const late = await recover(lost({ upstreamCalledAtMs: NOW_MS - 60_000 }), { kind: 'unlisted' });
    expect(late.calls).toEqual([['finish', 'failed', '0', 'submission_unknown']]);
  });

  it('waits no longer than its deadline', async () => {
    const { calls } = await recover(lost({ upstreamCalledAtMs: NOW_MS - 20_000, expiresAtMs: NOW_MS + 3_000 }), {
      kind: 'unlisted',
    });
    expect(calls).toEqual([['record', { missCount: 0, nextPollMs: 3_000, failures: 0 }]]);
  });

  it('looks up at the deadline at the latest', async () => {
    const { calls } = await recover(lost({ expiresAtMs: NOW_MS + 2_000 }), { kind: 'failed' });
    expect(calls).toEqual([['record', { missCount: 0, nextPollMs: 2_000, failures: 0 }]]);
  });
});
