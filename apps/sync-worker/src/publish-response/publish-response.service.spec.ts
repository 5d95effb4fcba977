import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeClaim, FakeReader, streamOf, usageOf } from '../test-support/fakes.js';
import { PublishResponse } from './publish-response.service.js';
import { UsageTicker } from './usage-ticker.service.js';

const ticker = new UsageTicker();
const service = new PublishResponse(ticker);

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  ticker.onApplicationShutdown();
  jest.useRealTimers();
});

describe('PublishResponse.stream', () => {
  it('sends the head, every chunk and the end that the upstream sent', async () => {
    const claimed = new FakeClaim();
    const { response } = streamOf(new FakeReader(), 'one ', ['two ', 'three']);
    await service.stream(response, { 'content-type': 'x' }, claimed, claimed.signal);
    expect(claimed.sent.slice(1)).toEqual([
      ['head', { status: 200, headers: { 'content-type': 'x' } }],
      ['data', 'one '],
      ['data', 'two '],
      ['data', 'three'],
      ['data', '[DONE]'],
    ]);
  });

  it('reads no further while the client does not read', async () => {
    const claimed = new FakeClaim();
    const { promise, resolve } = Promise.withResolvers<void>();
    claimed.whenReady = promise;
    const { response } = streamOf(new FakeReader(), 'one', ['two']);
    const published = service.stream(response, {}, claimed, claimed.signal);
    await jest.advanceTimersByTimeAsync(10);
    expect(claimed.frames).toEqual(['meter', 'head', 'data']);
    resolve();
    await published;
    expect(claimed.frames).toEqual(['meter', 'head', 'data', 'data', 'data']);
  });

  it('reports usage at each tick, but only after new bytes', async () => {
    const claimed = new FakeClaim();
    const reader = new FakeReader();
    const { promise, resolve } = Promise.withResolvers<void>();
    claimed.whenReady = promise;
    const { response } = streamOf(reader, 'one', ['two']);
    const published = service.stream(response, {}, claimed, claimed.signal);
    reader.used = usageOf({ output_token: 1 });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(claimed.sent.filter(([frame]) => frame === 'meter').map(([, reading]) => reading)).toEqual([
      { units: {}, inputTokensTotal: 0, isEstimated: false },
      { units: { output_token: 1 }, inputTokensTotal: 0, isEstimated: false },
    ]);
    resolve();
    await published;
  });

  it('cancels the upstream and throws if the client leaves, and reports no more usage', async () => {
    const claimed = new FakeClaim();
    const { response, calls } = streamOf(new FakeReader(), 'one', ['two', 'three']);
    await response.remaining.next();
    claimed.abort('client_closed');
    await expect(service.stream(response, {}, claimed, claimed.signal)).rejects.toBe(claimed.signal.reason);
    expect(calls).toEqual(['closed']);
    const sent = claimed.sent.length;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(claimed.sent).toHaveLength(sent);
  });

  it('throws what breaks the stream, without an end', async () => {
    const claimed = new FakeClaim();
    const { response } = streamOf(new FakeReader(), 'one', [new Error('connection lost')]);
    await expect(service.stream(response, {}, claimed, claimed.signal)).rejects.toThrow('connection lost');
    expect(claimed.frames).toEqual(['meter', 'head', 'data']);
  });
});
