import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChannelIll } from './breaker.js';
import { ChannelHealth } from './channel-health.js';

let health: ChannelHealth;
let said: boolean[];

beforeEach(() => {
  jest.useFakeTimers();
  said = [];
  health = new ChannelHealth((isIll) => said.push(isIll));
});

afterEach(() => void jest.useRealTimers());

const failing = () => Promise.reject(new ChannelIll('ill'));
const fail = (accountId: string) => health.attempt(accountId, failing).catch(() => undefined);
const succeed = (accountId: string) => health.attempt(accountId, async () => 'well');

async function failTimes(accountId: string, times: number): Promise<void> {
  for (let failure = 0; failure < times; failure += 1) await fail(accountId);
}

describe('the health of a channel', () => {
  it('is broken for one whose calls all fail, and for nobody else, however many they are', async () => {
    await failTimes('poisoner', 5);
    expect([health.isBrokenFor('poisoner'), health.isBrokenFor('other')]).toEqual([true, false]);
    for (let trial = 0; trial < 20; trial += 1) {
      jest.advanceTimersByTime(31_000);
      await fail('poisoner');
      expect(health.isBrokenFor('poisoner')).toBe(true);
      expect(health.isBrokenFor('other')).toBe(false);
    }
  });

  it('is broken for one whose calls failed all at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => fail('one')));
    expect(health.isBrokenFor('one')).toBe(true);
  });

  it('is not broken for all by what two of them see', async () => {
    await failTimes('first', 5);
    await failTimes('second', 5);
    expect(health.isBrokenFor('third')).toBe(false);
  });

  it('is broken for all once three of them have failed in a row, five times in all', async () => {
    await failTimes('first', 2);
    await failTimes('second', 2);
    expect(health.isBrokenFor('other')).toBe(false);
    await fail('third');
    expect([health.isBrokenFor('other'), health.isBrokenFor('third')]).toEqual([true, true]);
    expect(await succeed('other')).toBeUndefined();
  });

  it('is not broken for all while anybody is served in between', async () => {
    for (const account of ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']) {
      await fail(account);
      await succeed('served');
      await fail(account);
    }
    expect(health.isBrokenFor('other')).toBe(false);
  });

  it('is good again for all after one trial of anybody went well', async () => {
    for (const account of ['first', 'second', 'third', 'fourth', 'fifth']) await fail(account);
    expect(health.isBrokenFor('other')).toBe(true);
    jest.advanceTimersByTime(1_010);
    expect(await succeed('other')).toBe('well');
    expect(health.isBrokenFor('first')).toBe(false);
    await failTimes('first', 3);
    expect(health.isBrokenFor('first')).toBe(false);
  });

  it('takes a trial from nobody who is turned away anyway', async () => {
    await failTimes('poisoner', 5);
    jest.advanceTimersByTime(1_010);
    await fail('poisoner');
    for (const account of ['second', 'third', 'fourth']) await fail(account);
    expect(health.isBrokenFor('other')).toBe(true);
    jest.advanceTimersByTime(1_010);
    expect(health.isBrokenFor('poisoner')).toBe(true);
    expect(await succeed('poisoner')).toBeUndefined();
    expect(await succeed('other')).toBe('well');
  });

  it('is said to be ill while nobody is served: not for long by the calls of one', async () => {
    await failTimes('poisoner', 5);
    expect(said).toEqual([true]);
    await succeed('other');
    expect(said).toEqual([true, false]);
    await succeed('other');
    expect(said).toEqual([true, false]);
  });

  it('remembers so many who failed, and those who are in the middle of a call', async () => {
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
    reject(new ChannelIll('ill'));
    await running;
    expect(health.isBrokenFor('running')).toBe(true);
  });
});
