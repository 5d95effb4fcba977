import { describe, expect, it } from '@jest/globals';
import { type FetchState, isFetching } from './is-fetching.js';

describe('a worker is fetching', () => {
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
    ['while Redis answers it', idle],
    ['up to the last millisecond of silence', { ...idle, lastFetchMs: 70_000 }],
    ['while Redis is away: a restart would not bring it back', { ...stuck, connectedSinceMs: null }],
    ['shortly after Redis came back', { ...stuck, connectedSinceMs: 90_000 }],
    ['while it has no room for another job', { ...stuck, roomSinceMs: null }],
    ['shortly after room was made', { ...stuck, roomSinceMs: 90_000 }],
    ['while it is paused', { ...stuck, isPaused: true }],
  ])('%s', (_words, state) => {
    expect(isFetching(state)).toBe(true);
  });

  const full: FetchState = { ...stuck, nowMs: 10_000_000, roomSinceMs: null, lastChangeMs: 9_100_000 };

  it('while it is full, up to the longest that any work may take', () => {
    expect(isFetching(full)).toBe(true);
  });

  it('no more when nothing ends of the work that it is full of', () => {
    expect(isFetching({ ...full, lastChangeMs: 9_099_999 })).toBe(false);
    expect(isFetching({ ...full, lastChangeMs: 0, connectedSinceMs: null })).toBe(true);
  });

  it('no more when it could ask for a job and does not', () => {
    expect(isFetching(stuck)).toBe(false);
  });
});
