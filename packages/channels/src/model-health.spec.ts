import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChannelUnhealthy } from './breaker.js';
import { ModelHealth } from './model-health.js';

let health: ModelHealth;

beforeEach(() => {
  jest.useFakeTimers();
  health = new ModelHealth(() => undefined);
});

afterEach(() => void jest.useRealTimers());

const failing = () => Promise.reject(new ChannelUnhealthy('unhealthy'));
const fail = (accountId: string) => health.attempt(accountId, failing).catch(() => undefined);
const succeed = (accountId: string) => health.attempt(accountId, async () => 'ok');

async function failTimes(accountId: string, times: number): Promise<void> {
  for (let failure = 0; failure < times; failure += 1) await fail(accountId);
}

describe('ModelHealth', () => {
  it('opens for an account whose calls all fail, and for no other account', async () => {
    await failTimes('failing-account', 5);
    expect([health.isBrokenFor('failing-account'), health.isBrokenFor('other')]).toEqual([true, false]);
    for (let trial = 0; trial < 20; trial += 1) {
      jest.advanceTimersByTime(31_000);
      await fail('failing-account');
      expect(health.isBrokenFor('failing-account')).toBe(true);
      expect(health.isBrokenFor('other')).toBe(false);
    }
  });

  it('opens for an account whose concurrent calls all fail', async () => {
    await Promise.all(Array.from({ length: 5 }, () => fail('one')));
    expect(health.isBrokenFor('one')).toBe(true);
  });

  it('stays closed for others after failures of two accounts', async () => {
    await failTimes('first', 5);
    await failTimes('second', 5);
    expect(health.isBrokenFor('third')).toBe(false);
  });

  it('opens for all after five failures in a row of three accounts', async () => {
    await failTimes('first', 2);
    await failTimes('second', 2);
    expect(health.isBrokenFor('other')).toBe(false);
    await fail('third');
    expect([health.isBrokenFor('other'), health.isBrokenFor('third')]).toEqual([true, true]);
    expect(await succeed('other')).toBeUndefined();
  });

  it('stays closed for all while any account succeeds in between', async () => {
    for (const account of ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']) {
      await fail(account);
      await succeed('served');
      await fail(account);
    }
    expect(health.isBrokenFor('other')).toBe(false);
  });

  it('closes for all after one successful trial of any account', async () => {
    for (const account of ['first', 'second', 'third', 'fourth', 'fifth']) await fail(account);
    expect(health.isBrokenFor('other')).toBe(true);
    jest.advanceTimersByTime(1_010);
    expect(await succeed('other')).toBe('ok');
    expect(health.isBrokenFor('first')).toBe(false);
    await failTimes('first', 3);
    expect(health.isBrokenFor('first')).toBe(false);
  });

  it('keeps no call waiting for a trial that takes long, and begins another one after a further cooldown', async () => {
    for (const account of ['first', 'second', 'third', 'fourth', 'fifth']) await fail(account);
    jest.advanceTimersByTime(1_000);
    const { promise, resolve } = Promise.withResolvers<string>();
    const long = health.attempt('first', () => promise);
    expect([health.isBrokenFor('other'), health.remainingMs('other')]).toEqual([true, 1_000]);
    expect(await succeed('other')).toBeUndefined();
    jest.advanceTimersByTime(1_000);
    expect(await succeed('other')).toBe('ok');
    expect(health.isBrokenFor('third')).toBe(false);
    resolve('late');
    expect(await long).toBe('late');
    expect(health.isBrokenFor('third')).toBe(false);
  });

  it('learns nothing from a trial whose client has left: the next call is the trial', async () => {
    for (const account of ['first', 'second', 'third', 'fourth', 'fifth']) await fail(account);
    jest.advanceTimersByTime(1_000);
    await expect(health.attempt('other', () => Promise.reject(new Error('left')))).rejects.toThrow('left');
    expect(health.isBrokenFor('other')).toBe(false);
    await fail('other');
    expect(health.remainingMs('other')).toBe(2_000);
  });

  it('stays open if a call succeeds that began before it opened', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const earlier = health.attempt('earlier', () => promise);
    for (const account of ['first', 'second', 'third', 'fourth', 'fifth']) await fail(account);
    resolve('ok');
    expect(await earlier).toBe('ok');
    expect(health.isBrokenFor('other')).toBe(true);
  });

  it('lets no account with an open breaker of its own run the shared trial', async () => {
    await failTimes('failing-account', 5);
    jest.advanceTimersByTime(1_010);
    await fail('failing-account');
    for (const account of ['second', 'third', 'fourth']) await fail(account);
    expect(health.isBrokenFor('other')).toBe(true);
    jest.advanceTimersByTime(1_010);
    expect(health.isBrokenFor('failing-account')).toBe(true);
    expect(await succeed('failing-account')).toBeUndefined();
    expect(await succeed('other')).toBe('ok');
  });

  it('forgets the oldest failed accounts above the limit, but never one with a running call', async () => {
    await failTimes('first', 5);
    const { promise, reject } = Promise.withResolvers<never>();
    await failTimes('running', 4);
    const running = health.attempt('running', () => promise).catch(() => undefined);
    await succeed('served');
    for (let account = 0; account < 1_100; account += 1) {
      await fail(`account ${account}`);
      await succeed('served');
    }
    expect(health.isBrokenFor('first')).toBe(false);
    reject(new ChannelUnhealthy('unhealthy'));
    await running;
    expect(health.isBrokenFor('running')).toBe(true);
  });
});
