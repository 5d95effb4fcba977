import { describe, expect, it } from '@jest/globals';
import { ChannelWindow } from './channel-window.js';

const MINUTE_MS = 60_000;
const NOW_MS = 100 * MINUTE_MS;

describe('ChannelWindow', () => {
  it('counts calls by latency and errors by code', () => {
    const window = new ChannelWindow();
    window.record({ startedAtMs: NOW_MS - 40, endedAtMs: NOW_MS, status: 200 });
    window.record({ startedAtMs: NOW_MS - 100, endedAtMs: NOW_MS, status: 503, error: 'upstream_error' });
    window.record({ startedAtMs: NOW_MS - 90_000, endedAtMs: NOW_MS, error: 'upstream_error' });
    expect(window.read(NOW_MS)).toEqual({
      calls: 3,
      errors: { upstream_error: 2 },
      latencies: [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1],
      lastError: { code: 'upstream_error', status: null, atMs: NOW_MS },
    });
  });

  it('forgets what is older than five minutes, except the last error', () => {
    const window = new ChannelWindow();
    const failed = { startedAtMs: NOW_MS, endedAtMs: NOW_MS, status: 500, error: 'upstream_error' };
    window.record(failed);
    expect(window.read(NOW_MS + 4 * MINUTE_MS).calls).toBe(1);
    window.record({ ...failed, startedAtMs: NOW_MS + 4 * MINUTE_MS, endedAtMs: NOW_MS + 4 * MINUTE_MS });
    expect(window.read(NOW_MS + 5 * MINUTE_MS).calls).toBe(1);
    expect(window.read(NOW_MS + 60 * MINUTE_MS)).toMatchObject({ calls: 0, errors: {}, lastError: { status: 500 } });
  });

  it('counts a call that ends late in the newest minute', () => {
    const window = new ChannelWindow();
    window.record({ startedAtMs: NOW_MS, endedAtMs: NOW_MS + MINUTE_MS });
    window.record({ startedAtMs: NOW_MS, endedAtMs: NOW_MS + 1 });
    expect(window.read(NOW_MS + MINUTE_MS).calls).toBe(2);
  });
});
