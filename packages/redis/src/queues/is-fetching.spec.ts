import { describe, expect, it } from '@jest/globals';
import { type FetchState, isFetching } from './is-fetching.js';

describe('isFetching is true', () => {
  const idle: FetchState = {
    nowMs: 100_000,
    lastFetchMs: 95_000,
    connectedSinceMs: 0,
    roomSinceMs: 0,
    lastChangeMs: 0,
    isPaused: false,
  };
  const stuck: FetchState = { ...idle, lastFetchMs: 69_999 };

  it.each<[string, FetchState]>([
    ['while Redis replies', idle],
    ['up to the last millisecond of allowed silence', { ...idle, lastFetchMs: 70_000 }],
    ['while Redis is away', { ...stuck, connectedSinceMs: null }],
    ['shortly after a reconnect', { ...stuck, connectedSinceMs: 90_000 }],
    ['while all slots are taken', { ...stuck, roomSinceMs: null }],
    ['shortly after a slot became free', { ...stuck, roomSinceMs: 90_000 }],
    ['while it is paused', { ...stuck, isPaused: true }],
  ])('%s', (_title, state) => {
    expect(isFetching(state)).toBe(true);
  });

  const full: FetchState = { ...stuck, nowMs: 10_000_000, roomSinceMs: null, lastChangeMs: 9_100_000 };

  it('while all slots are taken, up to the longest possible request', () => {
    expect(isFetching(full)).toBe(true);
  });

  it('until no request ends for longer than that', () => {
    expect(isFetching({ ...full, lastChangeMs: 9_099_999 })).toBe(false);
    expect(isFetching({ ...full, lastChangeMs: 0, connectedSinceMs: null })).toBe(true);
  });

  it('until it could fetch and does not', () => {
    expect(isFetching(stuck)).toBe(false);
  });
});
