import { describe, expect, it } from '@jest/globals';
import { newAccountId, newKeyId, newRequestId, taskIdOf } from '../ids/ids.js';
import { renderVideoTask } from './render-video-task.js';
import type { StoredVideoTask } from './stored-video-task.js';

const requestId = newRequestId();
const taskId = taskIdOf(requestId);
const usd = (nanoUsd: bigint): string => `$${nanoUsd}`;

const task: StoredVideoTask = {
  taskId,
  publicId: taskId,
  requestId,
  accountId: newAccountId(),
  keyId: newKeyId(),
  isTest: false,
  model: 'wn2.7-t2v',
  vendor: 'dashscope',
  state: 'submitting',
  version: 1,
  channelId: null,
  upstreamTaskId: null,
  durationSeconds: 5,
  resolution: '720p',
  aspectRatio: '16:9',
  unit: 'second',
  priceVersion: 'wn2.7-t2v@2026-01-01',
  unitPrices: { second: '100000' },
  holdNanoUsd: 500n,
  costNanoUsd: null,
  webhookUrl: null,
  createdAtMs: 1_700_000_000_999,
  upstreamCalledAtMs: null,
  startedAtMs: null,
  finishedAtMs: null,
  expiresAtMs: 1_700_003_600_000,
  progress: null,
  content: null,
  usage: null,
  seed: null,
  error: null,
  cancelRequestedAtMs: null,
  cancelOutcome: null,
  upstream: null,
};

const rendered = (more: Partial<StoredVideoTask>) => renderVideoTask({ ...task, ...more }, usd);

describe('renderVideoTask', () => {
  it.each(['submitting', 'submit_unknown', 'queued'] as const)('renders the state %s as queued', (state) => {
    expect(rendered({ state })).toMatchObject({ id: taskId, task_id: taskId, status: 'queued', cost: null });
  });

  it('renders times in whole seconds, and null for what has not happened', () => {
    expect(rendered({})).toMatchObject({
      created_at: 1_700_000_000,
      expires_at: 1_700_003_600,
      started_at: null,
      finished_at: null,
      progress: null,
      content: null,
      cancellation: null,
      upstream: null,
    });
  });

  it('renders the public id of the upstream if there is one', () => {
    expect(rendered({ publicId: 'cgt-1' })).toMatchObject({ id: 'cgt-1', task_id: 'cgt-1' });
  });

  it('renders a succeeded task as 100 per cent, with its cost', () => {
    expect(rendered({ state: 'succeeded', progress: 60, costNanoUsd: 7n })).toMatchObject({
      progress: 100,
      cost: '$7',
    });
  });

  it.each([
    ['running', 'pending', '$500', /under way/],
    ['running', 'refused', '$500', /goes on/],
    ['succeeded', 'refused', '$0', /ended before/],
    ['failed', 'refused', '$0', /ended before/],
    ['cancelled', 'cancelled', '$0', /nothing is charged/],
  ] as const)(
    'renders a %s task whose cancellation is %s as one that may still cost %s',
    (state, outcome, cost, words) => {
      const { cancellation } = rendered({ state, cancelRequestedAtMs: 1_700_000_001_000, cancelOutcome: outcome });
      expect(cancellation).toMatchObject({ requested_at: 1_700_000_001, outcome, may_still_cost_usd: cost });
      expect(cancellation?.message).toMatch(words);
    },
  );

  describe('of which results are kept', () => {
    const urls = { video_url: 'https://vendor.example/v', last_frame_url: 'https://vendor.example/f' };
    const content = { ...urls, expires_at: 1, file_id: 'file-v', last_frame_file_id: 'file-f' };
    const shown = (goneFileIds: readonly string[]) =>
      renderVideoTask({ ...task, content, upstream: { output: urls }, goneFileIds }, usd, (id) => ({
        object: 'file.link',
        url: `/${id}`,
        expires_at: 2,
      }));

    it('shows our addresses', () => {
      const { content: linked, upstream } = shown([]);
      const ours = { video_url: '/file-v', last_frame_url: '/file-f' };
      expect(linked).toEqual({ ...content, ...ours, expires_at: 2 });
      expect(upstream).toEqual({ output: ours });
    });

    it('shows no address of a file that is gone, ours or the vendor’s', () => {
      const withoutFrame = shown(['file-f']);
      expect(withoutFrame.content).toEqual({ video_url: '/file-v', file_id: 'file-v', expires_at: 2 });
      expect(withoutFrame.upstream).toEqual({ output: { video_url: '/file-v', last_frame_url: null } });
      const { content: none, upstream } = shown(['file-v', 'file-f']);
      expect([none, upstream]).toEqual([null, { output: { video_url: null, last_frame_url: null } }]);
    });
  });
});
