import { VIDEO_PROTOCOLS } from '@gateway/upstreams';
import { expect, it } from '@jest/globals';
import type { TaskChannel } from '../task/task-channels.js';
import type { WorkerConfig } from '../tokens.js';
import { FetchStatus } from './fetch-status.service.js';
import type { UpstreamClient } from './upstream-client.service.js';

const target = { baseUrl: 'http://vendor', credential: 'secret', upstreamModel: 'm' };
const channel = { protocol: VIDEO_PROTOCOLS['ark-video'], target, channelId: 'ark-1' } as unknown as TaskChannel;

/** The reading of a poll that the vendor refuses with 429. */
function throttledWith(headers: Readonly<Record<string, string>>) {
  const client = { send: async () => ({ status: 429, headers, body: Buffer.from('{}') }) };
  const config = { pollTimeoutMs: 1_000 } as WorkerConfig;
  const fetching = new FetchStatus(client as unknown as UpstreamClient, config);
  return fetching.fetch('cgt-1', channel, new AbortController().signal);
}

it.each([
  ['a second, if its vendor names no time', {}, 1_000],
  ['for as long as its vendor says', { 'retry-after': '7' }, 7_000],
  ['for a minute at most: no task may pass its deadline unpolled', { 'retry-after': '86400' }, 60_000],
])('a throttled poll waits %s', async (_how, headers, waitMs) => {
  expect(await throttledWith(headers)).toEqual({ kind: 'throttled', waitMs });
});
