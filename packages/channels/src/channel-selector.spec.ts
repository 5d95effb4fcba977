import type { ChannelState } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChannelUnhealthy } from './breaker.js';
import type { Channel } from './channel.js';
import { ChannelSelector } from './channel-selector.js';
import { RetryBudget } from './retry-budget.js';

const NONE: ReadonlySet<Channel> = new Set();

const CALL = { accountId: 'acct_a', model: 'm' };
const requiring = (requiredId: string) => ({ ...CALL, requiredId });

const settingsOf = (weights: Readonly<Record<string, number>>) =>
  Object.entries(weights).map(([id, weight]) => ({
    id,
    vendor: 'openai' as const,
    baseUrl: 'http://localhost',
    credential: id,
    weight,
  }));

function createSelector(weights: Readonly<Record<string, number>>, testWeights = {}): ChannelSelector {
  const lists = { channels: settingsOf(weights), testChannels: settingsOf(testWeights) };
  return new ChannelSelector(lists, () => undefined);
}

function take(selector: ChannelSelector): Channel {
  const channel = selector.choose('openai', CALL, NONE);
  if (channel === undefined) throw new Error('no channel');
  return channel;
}

const fail = (channel: Channel) =>
  channel.attempt(CALL, () => Promise.reject(new ChannelUnhealthy('unhealthy'))).catch(() => undefined);

describe('ChannelSelector', () => {
  it('shares calls by weight and counts each until it ends', () => {
    const selector = createSelector({ small: 1, large: 3 });
    const taken = Array.from({ length: 400 }, () => {
      const channel = take(selector);
      return { id: channel.id, release: channel.occupy() };
    });
    expect(taken.filter(({ id }) => id === 'large')).toHaveLength(300);
    for (const { id, release } of taken) if (id === 'small') release();
    expect(take(selector).id).toBe('small');
  });

  it('never mixes channels of test keys with vendor channels', () => {
    const selector = createSelector({ real: 1 }, { test: 1 });
    expect(selector.choose('openai.test', CALL, NONE)?.id).toBe('test');
    expect(selector.choose('openai.test', requiring('real'), NONE)).toBeUndefined();
    expect(selector.choose('openai', requiring('test'), NONE)).toBeUndefined();
    expect(selector.has('openai', 'test')).toBe(false);
    const without = createSelector({ real: 1 });
    expect(without.hasPool('openai.test')).toBe(false);
    expect(without.choose('openai.test', CALL, NONE)).toBeUndefined();
  });

  it('follows what an administrator has set, until it is taken back', () => {
    const selector = createSelector({ one: 1, other: 1 });
    const set = (state: ChannelState, weight: number | null = null) => {
      for (const [, channel] of selector.all()) {
        channel.control(channel.id === 'one' ? { channelId: 'one', state, weight } : undefined);
      }
    };
    const chosen = () => new Set(Array.from({ length: 50 }, () => take(selector).id));
    set('draining');
    expect(chosen()).toEqual(new Set(['other']));
    expect(selector.choose('openai', requiring('one'), NONE)?.id).toBe('one');
    set('paused');
    expect(chosen()).toEqual(new Set(['other']));
    expect(selector.choose('openai', requiring('one'), NONE)).toBeUndefined();
    expect(selector.pauseMs('openai', requiring('one'))).toBeGreaterThan(0);
    set('active', 0);
    expect(chosen()).toEqual(new Set(['other']));
    set('active');
    expect(chosen()).toEqual(new Set(['one', 'other']));
  });

  it('gives a channel of weight 0 only the calls that require it', () => {
    const selector = createSelector({ drained: 0, other: 1 });
    const release = Array.from({ length: 100 }, () => {
      const channel = take(selector);
      expect(channel.id).toBe('other');
      return channel.occupy();
    });
    expect(selector.choose('openai', requiring('drained'), NONE)?.id).toBe('drained');
    expect([selector.hasPool('openai'), selector.has('openai', 'drained')]).toEqual([true, true]);
    take(selector).coolDown(5_000, performance.now());
    expect(selector.choose('openai', CALL, NONE)).toBeUndefined();
    expect(selector.pauseMs('openai', CALL)).toBeGreaterThan(0);
    for (const end of release) end();
  });

  it('releases a call once, however often release is called', () => {
    const channel = take(createSelector({ only: 1 }));
    const [first] = [channel.occupy(), channel.occupy()];
    first?.();
    first?.();
    expect(channel.inFlight).toBe(1);
  });

  it('skips channels that were tried, cool down or are broken', async () => {
    const selector = createSelector({ a: 1, b: 1 });
    const first = take(selector);
    const second = selector.choose('openai', CALL, new Set([first]));
    expect(second?.id).not.toBe(first.id);
    first.coolDown(60_000, performance.now());
    expect(take(selector)).toBe(second);
    for (let failure = 0; failure < 5; failure += 1) await fail(take(selector));
    expect(second?.isBrokenFor(CALL)).toBe(true);
    expect(selector.choose('openai', CALL, NONE)).toBeUndefined();
    expect(selector.shortestCooldownMs('openai', CALL)).toBeGreaterThan(50_000);
  });

  it('gives a channel that is broken for one account to other accounts', async () => {
    const selector = createSelector({ only: 1 });
    for (let failure = 0; failure < 5; failure += 1) await fail(take(selector));
    expect(selector.choose('openai', CALL, NONE)).toBeUndefined();
    expect(selector.choose('openai', { ...CALL, accountId: 'acct_b' }, NONE)?.id).toBe('only');
  });

  describe('with all channels broken', () => {
    beforeEach(() => void jest.useFakeTimers());
    afterEach(() => void jest.useRealTimers());

    it('tries a channel again after its cooldown and doubles the cooldown on failure', async () => {
      const selector = createSelector({ only: 1 });
      const channel = take(selector);
      for (let failure = 0; failure < 5; failure += 1) await fail(channel);
      for (const cooldownMs of [1_000, 2_000, 4_000]) {
        expect(selector.choose('openai', CALL, NONE)).toBeUndefined();
        jest.advanceTimersByTime(cooldownMs - 1);
        expect(selector.choose('openai', CALL, NONE)).toBeUndefined();
        jest.advanceTimersByTime(10);
        expect(take(selector)).toBe(channel);
        await fail(channel);
      }
      jest.advanceTimersByTime(8_010);
      expect(await take(selector).attempt(CALL, async () => 'ok')).toBe('ok');
      expect(channel.isBrokenFor(CALL)).toBe(false);
    });
  });

  it('chooses the required channel or none', () => {
    const selector = createSelector({ a: 1, b: 1, c: 1 });
    for (let call = 0; call < 20; call += 1) expect(selector.choose('openai', requiring('b'), NONE)?.id).toBe('b');
    expect([selector.has('openai', 'b'), selector.has('openai', 'z'), selector.has('xai', 'b')]).toEqual([
      true,
      false,
      false,
    ]);
    selector.choose('openai', requiring('b'), NONE)?.coolDown(60_000, performance.now());
    expect(selector.choose('openai', requiring('b'), NONE)).toBeUndefined();
    expect(selector.has('openai', 'b')).toBe(true);
  });

  it('ends a cooldown in time although the clock was set back', () => {
    const selector = createSelector({ only: 1 });
    take(selector).coolDown(60_000, performance.now());
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
    const pauseMs = selector.pauseMs('openai', CALL);
    expect([pauseMs > 0, pauseMs <= 60_000]).toEqual([true, true]);
    clock.mockRestore();
  });

  it('cools down one model without affecting the others', () => {
    const selector = createSelector({ only: 1 });
    for (const durationMs of [60_000, 1_000]) take(selector).coolDownModel('retired', durationMs, performance.now());
    expect(selector.choose('openai', { ...CALL, model: 'retired' }, NONE)).toBeUndefined();
    expect(selector.shortestCooldownMs('openai', { ...CALL, model: 'retired' })).toBeGreaterThan(50_000);
    expect(selector.choose('openai', CALL, NONE)?.id).toBe('only');
  });

  it('does not count an abort against a channel', async () => {
    const channel = take(createSelector({ only: 1 }));
    for (let call = 0; call < 20; call += 1) {
      await channel.attempt(CALL, () => Promise.reject(new Error('the client left'))).catch(() => undefined);
    }
    expect(channel.isBrokenFor(CALL)).toBe(false);
  });
});

describe('RetryBudget', () => {
  it('allows one retry for five requests in the long run', () => {
    const budget = new RetryBudget();
    while (budget.spend());
    let retries = 0;
    for (let request = 0; request < 1_000; request += 1) {
      budget.onRequest();
      if (budget.spend()) retries += 1;
    }
    expect(retries).toBeGreaterThanOrEqual(198);
    expect(retries).toBeLessThanOrEqual(200);
  });
});
