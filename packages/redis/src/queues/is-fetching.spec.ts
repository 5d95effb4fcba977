import { describe, expect, it } from '@jest/globals';
import { type FetchState, isFetching } from './is-fetching.js';

describe('a worker is fetching', () => {
  const idle: FetchState = {
    nowMs: 100_000,
    lastFetchMs: 95_000,
    connectedSinceMs: 0,
    roomSinceMs: 0,
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

  it('no more when it could ask for a job and does not', () => {
    expect(isFetching(stuck)).toBe(false);
  });
});
