import type { WorkerVideoTask } from '@gateway/postgres';
import { describe, expect, it } from '@jest/globals';
import { NOW_MS, TASK as task } from '../test-support/fakes.js';
import {
  applyCompletion,
  billedSeconds,
  completionFromReading,
  completionWithoutVideo,
  costOfTask,
} from './task-completion.js';

describe('costOfTask', () => {
  it.each([
    ['the requested length', 5, 5, 500_000_000n],
    ['a shorter video: its length', 3, 3, 300_000_000n],
    ['a fraction: rounded up to whole seconds', 3.04, 4, 400_000_000n],
    ['a longer video: the requested length', 12, 5, 500_000_000n],
    ['an empty video: nothing', 0, 0, 0n],
    ['an unknown length: the requested length', undefined, 5, 500_000_000n],
  ])('charges %s', (_case, outputSeconds, seconds, cost) => {
    expect(billedSeconds(task, outputSeconds === undefined ? {} : { outputSeconds })).toBe(seconds);
    expect(costOfTask(task, { second_720p: seconds })).toBe(cost);
  });

  it('charges at most the hold, and nothing with a test key', () => {
    expect(costOfTask({ ...task, holdNanoUsd: 7n }, { second_720p: 5 })).toBe(7n);
    expect(costOfTask({ ...task, isTest: true }, { second_720p: 5 })).toBe(0n);
  });
});

describe('a completion', () => {
  const succeeded = {
    state: 'succeeded',
    videoUrl: 'https://a.example/v.mp4',
    outputSeconds: 4,
    usage: { video_count: 1 },
    seed: 7,
    endedAtMs: 1_700_000_090_000,
    native: { id: 'up-1' },
  } as const;

  it('from a succeeded reading has the video, its usage and its cost', () => {
    expect(completionFromReading(task, succeeded, NOW_MS)).toMatchObject({
      state: 'succeeded',
      outcome: 'completed',
      costNanoUsd: '400000000',
      units: { second_720p: 4 },
      content: { video_url: 'https://a.example/v.mp4', expires_at: 1_700_000_090 + 86_400 },
      usage: { video_count: 1 },
      seed: 7,
      error: null,
      upstream: { id: 'up-1' },
    });
  });

  it.each(['failed', 'cancelled', 'expired'] as const)('from a %s reading costs nothing and has its error', (state) => {
    const reading = { state, code: 'DataInspectionFailed', message: 'No.', native: {} };
    expect(completionFromReading(task, reading, NOW_MS)).toMatchObject({
      state,
      outcome: state,
      costNanoUsd: '0',
      units: {},
      content: null,
      error: { code: 'DataInspectionFailed', message: 'No.' },
    });
  });

  it('began with its submission, if it ended before a poll and the upstream reports no time', () => {
    const { startedAtMs: _, ...untimed } = { ...succeeded, startedAtMs: 0 };
    expect(completionFromReading(task, untimed, NOW_MS).startedAtMs).toBe(task.submittedAtMs);
    const failed = { state: 'failed', code: 'x', message: 'x', native: {} } as const;
    expect(completionFromReading(task, failed, NOW_MS).startedAtMs).toBeNull();
  });

  it.each([
    ['is hours behind', -8 * 3_600_000, 1_700_000_000_000],
    ['is hours ahead', 8 * 3_600_000, NOW_MS],
    ['is off by an era', 1e300, NOW_MS],
  ])('ignores an upstream clock that %s', (_case, offMs, expectedMs) => {
    const odd = { ...succeeded, startedAtMs: NOW_MS + offMs, endedAtMs: NOW_MS + offMs };
    const { startedAtMs, content } = completionFromReading(task, odd, NOW_MS);
    expect([startedAtMs, content?.expires_at]).toEqual([expectedMs, Math.floor(expectedMs / 1_000) + 86_400]);
  });

  it('reports a late cancellation as refused', () => {
    const cancelling = { ...task, cancelRequestedAtMs: NOW_MS, cancelOutcome: 'pending' as const };
    expect(applyCompletion(cancelling, completionFromReading(cancelling, succeeded, NOW_MS)).cancelOutcome).toBe(
      'refused',
    );
    const cancelled = completionWithoutVideo(
      cancelling,
      'cancelled',
      { code: 'cancelled', message: 'Cancelled.' },
      NOW_MS,
    );
    expect(applyCompletion(cancelling, cancelled)).toMatchObject({
      state: 'cancelled',
      cancelOutcome: 'cancelled',
      costNanoUsd: 0n,
    });
    expect(applyCompletion(task, cancelled).cancelOutcome).toBeNull();
  });
});

describe('the input seconds of a completion', () => {
  const reading = {
    state: 'succeeded',
    videoUrl: 'https://a.example/v.mp4',
    outputSeconds: 4,
    usage: {},
    native: {},
  } as const;
  /** Five seconds of video and ten of input, $0.10 each. */
  const charged: WorkerVideoTask = {
    ...task,
    model: 'wn2.7-r2v',
    priceVersion: 'wn2.7-r2v@2026-11-01',
    createdAtMs: Date.parse('2026-11-02'),
    unitPrices: { second_720p: '100000', input_second_720p: '100000' },
    holdNanoUsd: 1_500_000_000n,
  };
  const free: WorkerVideoTask = { ...charged, unitPrices: { second_720p: '100000' }, holdNanoUsd: 500_000_000n };
  const end = (one: WorkerVideoTask, inputSeconds?: number) => {
    const completion = completionFromReading(
      one,
      { ...reading, ...(inputSeconds !== undefined && { inputSeconds }) },
      NOW_MS,
    );
    const { units, costNanoUsd, vendorCostNanoUsd } = completion;
    return { units, costNanoUsd, vendorCostNanoUsd };
  };

  it.each([
    ['what the upstream reports, rounded up', 2.2, { second_720p: 4, input_second_720p: 3 }, '700000000', '700000000'],
    ['nothing if it reports none', undefined, { second_720p: 4 }, '400000000', '400000000'],
    ['at most the seconds that are held', 12, { second_720p: 4, input_second_720p: 10 }, '1400000000', '1600000000'],
  ])('are charged by %s', (_case, inputSeconds, units, costNanoUsd, vendorCostNanoUsd) => {
    expect(end(charged, inputSeconds)).toEqual({ units, costNanoUsd, vendorCostNanoUsd });
  });

  it('are only a cost of the operator where the submission has no price for them', () => {
    const vendorCostNanoUsd = '700000000';
    expect(end(free, 3)).toEqual({ units: { second_720p: 4 }, costNanoUsd: '400000000', vendorCostNanoUsd });
  });

  it('are free with a test key, and stand in its receipt', () => {
    const units = { second_720p: 4, input_second_720p: 3 };
    expect(end({ ...charged, isTest: true, holdNanoUsd: 0n }, 3)).toEqual({
      units,
      costNanoUsd: '0',
      vendorCostNanoUsd: '0',
    });
  });
});

describe('a video that its upstream kept back', () => {
  const attempts = [{ channel: 'xai-1', status: 200, startedAtMs: 1, endedAtMs: 2 }];
  const kept = {
    state: 'failed',
    code: 'content_moderation',
    message: 'Kept back.',
    isModerated: true,
    native: {},
  } as const;

  it('is charged like a delivered one if the upstream bills it', () => {
    const billed = completionFromReading({ ...task, attempts }, { ...kept, vendorCostNanoUsd: '400000000' }, NOW_MS);
    expect(billed).toMatchObject({ state: 'failed', costNanoUsd: '500000000', units: { second_720p: 5 } });
    expect(billed.error?.message).toContain('it is charged');
    expect(billed.attempts).toEqual([{ ...attempts[0], vendorCostNanoUsd: '400000000' }]);
  });

  it.each([
    ['reports no cost', kept],
    ['reports a cost of zero', { ...kept, vendorCostNanoUsd: '0' }],
    ['failed by itself', { ...kept, isModerated: undefined, vendorCostNanoUsd: '400000000' }],
  ])('is free if the upstream %s', (_, reading) => {
    const { isModerated, ...rest } = reading;
    const free = completionFromReading(task, { ...rest, ...(isModerated && { isModerated }) }, NOW_MS);
    expect(free).toMatchObject({ costNanoUsd: '0', units: {} });
  });
});

describe('the cost of the vendor', () => {
  const reading = { state: 'succeeded', videoUrl: 'https://a.example/v.mp4', usage: {}, native: {} } as const;

  it('is what the upstream reports, and nothing with a test key', () => {
    const reported = { ...reading, vendorCostNanoUsd: '123' };
    const costs = [false, true].map((isTest) => completionFromReading({ ...task, isTest }, reported, NOW_MS));
    expect(costs.map(({ vendorCostNanoUsd }) => vendorCostNanoUsd)).toEqual(['123', '0']);
  });
});

describe('the seed of a record', () => {
  const reading = { state: 'succeeded', videoUrl: 'https://a.example/v.mp4', usage: {}, native: {} } as const;

  it("is the upstream's, else the one that was asked for", () => {
    const asked = { ...task, seed: 4711 };
    expect(completionFromReading(asked, { ...reading, seed: 7 }, NOW_MS).seed).toBe(7);
    expect(completionFromReading(asked, reading, NOW_MS).seed).toBe(4711);
    expect(completionWithoutVideo(asked, 'failed', { code: 'x', message: 'x' }, NOW_MS).seed).toBe(4711);
    expect(completionFromReading(task, reading, NOW_MS).seed).toBeNull();
  });
});
