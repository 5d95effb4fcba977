import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChannelIll } from './breaker.js';
import type { Channel } from './channel.js';
import { ChannelSelector } from './channel-selector.js';
import { RetryBudget } from './retry-budget.js';

const NONE: ReadonlySet<Channel> = new Set();

const CALL = { accountId: 'acct_a', model: 'm' };
const onlyAt = (wantedId: string) => ({ ...CALL, wantedId });

const settingsOf = (weights: Readonly<Record<string, number>>) =>
  Object.entries(weights).map(([id, weight]) => ({
    id,
    vendor: 'openai' as const,
    baseUrl: 'http://localhost',
    credential: id,
    weight,
  }));

function chooser(weights: Readonly<Record<string, number>>, testWeights = {}): ChannelSelector {
  const lists = { channels: settingsOf(weights), testChannels: settingsOf(testWeights) };
  return new ChannelSelector(lists, () => undefined);
}

function take(choose: ChannelSelector): Channel {
  const channel = choose.choose('openai', CALL, NONE);
  if (channel === undefined) throw new Error('no channel');
  return channel;
}

const fail = (channel: Channel) =>
  channel.attempt(CALL.accountId, () => Promise.reject(new ChannelIll('ill'))).catch(() => undefined);

describe('ChannelSelector', () => {
  it('shares calls by weight, counting each until it has ended', () => {
    const choose = chooser({ small: 1, large: 3 });
    const taken = Array.from({ length: 400 }, () => {
      const channel = take(choose);
      return { id: channel.id, release: channel.occupy() };
    });
    expect(taken.filter(({ id }) => id === 'large')).toHaveLength(300);
    for (const { id, release } of taken) if (id === 'small') release();
    expect(take(choose).id).toBe('small');
  });

  it('never gives a test a real channel, nor a real request the one for tests', () => {
    const choose = chooser({ real: 1 }, { test: 1 });
    expect(choose.choose('openai.test', CALL, NONE)?.id).toBe('test');
    expect(choose.choose('openai.test', onlyAt('real'), NONE)).toBeUndefined();
    expect(choose.choose('openai', onlyAt('test'), NONE)).toBeUndefined();
    expect(choose.has('openai', 'test')).toBe(false);
    const without = chooser({ real: 1 });
    expect(without.hasPool('openai.test')).toBe(false);
    expect(without.choose('openai.test', CALL, NONE)).toBeUndefined();
  });

  it('gives nothing new to a channel without weight, and waits for none, but gives it what only it can do', () => {
    const choose = chooser({ drained: 0, other: 1 });
    const release = Array.from({ length: 100 }, () => {
      const channel = take(choose);
      expect(channel.id).toBe('other');
      return channel.occupy();
    });
    expect(choose.choose('openai', onlyAt('drained'), NONE)?.id).toBe('drained');
    expect([choose.hasPool('openai'), choose.has('openai', 'drained')]).toEqual([true, true]);
    take(choose).rest(5_000, Date.now());
    expect(choose.choose('openai', CALL, NONE)).toBeUndefined();
    expect(choose.cooldownMs('openai', 'm')).toBeGreaterThan(0);
    for (const end of release) end();
  });

  it('counts a call out once, however often it is told', () => {
    const channel = take(chooser({ only: 1 }));
    const [first] = [channel.occupy(), channel.occupy()];
    first?.();
    first?.();
    expect(channel.inFlight).toBe(1);
  });

  it('leaves out what was tried, what rests and what is broken, and gives nothing rather than one of these', async () => {
    const choose = chooser({ a: 1, b: 1 });
    const first = take(choose);
    const second = choose.choose('openai', CALL, new Set([first]));
    expect(second?.id).not.toBe(first.id);
    first.rest(60_000, Date.now());
    expect(take(choose)).toBe(second);
    for (let failure = 0; failure < 5; failure += 1) await fail(take(choose));
    expect(second?.isBrokenFor(CALL.accountId)).toBe(true);
    expect(choose.choose('openai', CALL, NONE)).toBeUndefined();
    expect(choose.shortestCooldownMs('openai', 'm')).toBeGreaterThan(50_000);
  });

  it('gives a channel that is broken for one account to the others', async () => {
    const choose = chooser({ only: 1 });
    for (let failure = 0; failure < 5; failure += 1) await fail(take(choose));
    expect(choose.choose('openai', CALL, NONE)).toBeUndefined();
    expect(choose.choose('openai', { ...CALL, accountId: 'acct_b' }, NONE)?.id).toBe('only');
  });

  describe('with all channels broken', () => {
    beforeEach(() => void jest.useFakeTimers());
    afterEach(() => void jest.useRealTimers());

    it('tries one again when its rest is over, and rests twice as long if that fails', async () => {
      const choose = chooser({ only: 1 });
      const channel = take(choose);
      for (let failure = 0; failure < 5; failure += 1) await fail(channel);
      for (const restMs of [1_000, 2_000, 4_000]) {
        expect(choose.choose('openai', CALL, NONE)).toBeUndefined();
        jest.advanceTimersByTime(restMs - 1);
        expect(choose.choose('openai', CALL, NONE)).toBeUndefined();
        jest.advanceTimersByTime(10);
        expect(take(choose)).toBe(channel);
        await fail(channel);
      }
      jest.advanceTimersByTime(8_010);
      expect(await take(choose).attempt(CALL.accountId, async () => 'well again')).toBe('well again');
      expect(channel.isBrokenFor(CALL.accountId)).toBe(false);
    });
  });

  it('gives the wanted channel or none, however the others are doing', () => {
    const choose = chooser({ a: 1, b: 1, c: 1 });
    for (let call = 0; call < 20; call += 1) expect(choose.choose('openai', onlyAt('b'), NONE)?.id).toBe('b');
    expect([choose.has('openai', 'b'), choose.has('openai', 'z'), choose.has('xai', 'b')]).toEqual([
      true,
      false,
      false,
    ]);
    choose.choose('openai', onlyAt('b'), NONE)?.rest(60_000, Date.now());
    expect(choose.choose('openai', onlyAt('b'), NONE)).toBeUndefined();
    expect(choose.has('openai', 'b')).toBe(true);
  });

  it('lets a channel that lacks one model go on with the others', () => {
    const choose = chooser({ only: 1 });
    take(choose).restForModel('retired', 60_000, Date.now());
    expect(choose.choose('openai', { ...CALL, model: 'retired' }, NONE)).toBeUndefined();
    expect(choose.choose('openai', CALL, NONE)?.id).toBe('only');
  });

  it('does not hold an abort or a refusal of the request against a channel', async () => {
    const channel = take(chooser({ only: 1 }));
    for (let call = 0; call < 20; call += 1) {
      await channel.attempt(CALL.accountId, () => Promise.reject(new Error('the client left'))).catch(() => undefined);
    }
    expect(channel.isBrokenFor(CALL.accountId)).toBe(false);
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
