import { VendorCosts } from '@gateway/channels';
import type { VideoTaskRecord } from '@gateway/contracts';
import { createMetrics, NO_TRACING } from '@gateway/observability';
import type { TaskStore, WorkerVideoTask } from '@gateway/postgres';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { TaskChangePublisher } from '../task/task-change-publisher.service.js';
import {
  countOf,
  fake,
  freezeClock,
  NO_FAILPOINTS,
  NOW_MS,
  restoreClock,
  silentLogger,
  task,
  testMetrics,
} from '../test-support/fakes.js';
import type { BalanceCacheUpdater } from './balance-cache-updater.service.js';
import { CompletionReporter } from './completion-reporter.service.js';
import { FinishTask } from './finish-task.service.js';
import { KeptResults } from './kept-results.service.js';
import {
  applyCompletion,
  completionFromReading,
  completionWithoutVideo,
  expiredCompletion,
} from './task-completion.js';

beforeEach(freezeClock);
afterEach(restoreClock);

const LOST = { code: 'task_lost', message: 'Lost.' };
const SUCCEEDED = {
  state: 'succeeded',
  videoUrl: 'https://a.example/v.mp4',
  outputSeconds: 4,
  usage: { video_count: 1 },
  endedAtMs: NOW_MS - 4_000,
  native: {},
} as const;

/** Stores a completion only in the version that the row has. */
type Keeping = ConstructorParameters<typeof KeptResults>[0];
const NOT_KEPT: Keeping = { keepsResults: true, publicApiUrl: undefined, fileSigningSecrets: ['s'.repeat(32)] };

function finishing(current: WorkerVideoTask | null, keeping = NOT_KEPT) {
  const calls: unknown[][] = [];
  const records: VideoTaskRecord[] = [];
  const metrics = testMetrics();
  const reporter = new CompletionReporter(
    fake<TaskChangePublisher>({ publish: ({ state }) => void calls.push(['publish', state]) }),
    fake<BalanceCacheUpdater>({ update: () => void calls.push(['updateBalance']) }),
    new VendorCosts(createMetrics('video-worker'), []),
    metrics,
    silentLogger(),
  );
  const finish = new FinishTask(
    fake<TaskStore>({
      finish: async ({ version }, completion, record) => {
        records.push(record as VideoTaskRecord);
        const { status, cost } = record as VideoTaskRecord;
        calls.push(['finish', version, status, cost]);
        return version === current?.version ? applyCompletion(current, completion) : null;
      },
      find: async () => current,
    }),
    reporter,
    new KeptResults(keeping),
    NO_FAILPOINTS,
    NO_TRACING,
  );
  return { finish, calls, records, metrics };
}

describe('FinishTask', () => {
  it('charges a succeeded task for its seconds and reports it once', async () => {
    const { finish, calls, metrics } = finishing(task());
    await finish.finishAsRead(task(), SUCCEEDED);
    expect(calls).toEqual([['finish', 3, 'succeeded', '0.40'], ['publish', 'succeeded'], ['updateBalance']]);
    expect(await countOf(metrics.ended)).toBe(1);
    expect(await countOf(metrics.refunds)).toBe(0);
    const lag = (await metrics.detectionLag.get()).values.find(({ metricName }) => metricName?.endsWith('_sum'));
    expect(lag?.value).toBe(4);
  });

  it.each([
    [
      'failed',
      (seen: WorkerVideoTask) => completionFromReading(seen, { state: 'failed', ...LOST, native: {} }, NOW_MS),
    ],
    ['cancelled', (seen: WorkerVideoTask) => completionWithoutVideo(seen, 'cancelled', LOST, NOW_MS)],
    ['expired', expiredCompletion],
    ['failed', (seen: WorkerVideoTask) => completionWithoutVideo(seen, 'failed', LOST, NOW_MS)],
  ] as const)('releases the whole hold of a task that ends %s', async (state, completionFor) => {
    const { finish, calls, metrics } = finishing(task());
    expect(await finish.finish(task(), completionFor)).toMatchObject({ state, costNanoUsd: 0n });
    expect(calls).toEqual([['finish', 3, state, '0.00'], ['publish', state], ['updateBalance']]);
    expect(await countOf(metrics.refunds)).toBe(1);
  });

  it('raises usage that has no price', async () => {
    const { finish, metrics } = finishing(task());
    await finish.finishAsRead(task(), SUCCEEDED);
    expect(await countOf(metrics.unpricedUsage)).toBe(0);
    await finish.finishAsRead(task(), { ...SUCCEEDED, unpriced: ['tool_usage.web_search', 'upscaled_seconds'] });
    expect(await countOf(metrics.unpricedUsage)).toBe(2);
    for (let field = 0; field < 60; field += 1) {
      await finish.finishAsRead(task(), { ...SUCCEEDED, unpriced: [`invented_${field}`] });
    }
    const { values } = await metrics.unpricedUsage.get();
    expect([values.length, values.at(-1)?.labels.field]).toEqual([51, 'other']);
  });

  it('moves no money of a task without a hold', async () => {
    const { finish, calls, metrics } = finishing(task({ isTest: true, holdNanoUsd: 0n }));
    await finish.finish(task({ isTest: true, holdNanoUsd: 0n }), expiredCompletion);
    expect(calls).toEqual([
      ['finish', 3, 'expired', '0.00'],
      ['publish', 'expired'],
    ]);
    expect(await countOf(metrics.refunds)).toBe(0);
  });

  describe('a deployment that keeps results', () => {
    const keeping = { ...NOT_KEPT, publicApiUrl: 'https://gateway.example' };
    const native = { output: { video_url: SUCCEEDED.videoUrl, other: ['kept', SUCCEEDED.videoUrl] } };

    it('names a file for the video, and shows its address instead of the vendor’s', async () => {
      const { finish, records } = finishing(task(), keeping);
      const ended = await finish.finish(task(), (seen) =>
        completionFromReading(seen, { ...SUCCEEDED, lastFrameUrl: 'https://a.example/f.png', native }, NOW_MS),
      );
      expect(ended.content).toMatchObject({
        video_url: SUCCEEDED.videoUrl,
        file_id: expect.stringMatching(/^file-/),
        last_frame_file_id: expect.stringMatching(/^file-/),
      });
      const [record] = records;
      const { content, upstream } = record as VideoTaskRecord;
      expect(content?.video_url).toMatch(
        new RegExp(`^https://gateway\\.example/v1/files/${ended.content?.file_id}/content\\?expires=`),
      );
      expect(content?.last_frame_url).toContain(ended.content?.last_frame_file_id);
      expect(upstream).toEqual({ output: { video_url: content?.video_url, other: ['kept', content?.video_url] } });
      expect(JSON.stringify(record)).not.toContain('a.example');
      expect(content?.expires_at).toBe(Math.floor(NOW_MS / 1_000) + 86_400);
    });

    it('leaves the vendor’s address where no store keeps results, since nothing would fetch them', async () => {
      const { finish, records } = finishing(task(), { ...keeping, keepsResults: false });
      const ended = await finish.finish(task(), (seen) =>
        completionFromReading(seen, { ...SUCCEEDED, native }, NOW_MS),
      );
      expect(ended.content).not.toHaveProperty('file_id');
      expect(records).toMatchObject([{ content: { video_url: SUCCEEDED.videoUrl }, upstream: native }]);
    });

    it('keeps nothing of a task of a test key, or of one that failed', async () => {
      const test = finishing(task({ isTest: true, holdNanoUsd: 0n }), keeping);
      await test.finish.finishAsRead(task({ isTest: true, holdNanoUsd: 0n }), SUCCEEDED);
      expect(test.records[0]?.content).toMatchObject({ video_url: SUCCEEDED.videoUrl });
      const failed = finishing(task(), keeping);
      await failed.finish.finish(task(), expiredCompletion);
      expect(failed.records[0]?.content).toBeNull();
    });
  });

  it('completes the task again as it has changed meanwhile', async () => {
    const { finish, calls } = finishing(task({ version: 4, state: 'queued' }));
    expect(await finish.finish(task(), expiredCompletion)).toMatchObject({ version: 4, state: 'expired' });
    expect(calls.map(([name, version]) => [name, version])).toEqual([
      ['finish', 3],
      ['finish', 4],
      ['publish', 'expired'],
      ['updateBalance', undefined],
    ]);
  });

  it('neither charges nor reports a task that another worker has ended', async () => {
    const ended = task({ version: 4, state: 'succeeded', costNanoUsd: 400_000_000n });
    const { finish, calls, metrics } = finishing(ended);
    expect(await finish.finish(task(), expiredCompletion)).toBe(ended);
    expect(calls).toEqual([['finish', 3, 'expired', '0.00']]);
    expect(await countOf(metrics.ended)).toBe(0);
  });

  it('throws if the task no longer exists', async () => {
    await expect(finishing(null).finish.finish(task(), expiredCompletion)).rejects.toThrow('no longer exists');
  });
});
