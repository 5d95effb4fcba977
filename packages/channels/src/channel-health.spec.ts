import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChannelUnhealthy } from './breaker.js';
import { ChannelHealth } from './channel-health.js';

let health: ChannelHealth;
let reported: boolean[];

beforeEach(() => {
  jest.useFakeTimers();
  reported = [];
  health = new ChannelHealth((isUnhealthy) => reported.push(isUnhealthy));
});

afterEach(() => void jest.useRealTimers());

const ACCOUNTS = ['first', 'second', 'third', 'fourth', 'fifth'] as const;

const failing = () => Promise.reject(new ChannelUnhealthy('unhealthy'));
const fail = (model: string, accountId: string) => health.attempt({ accountId, model }, failing).catch(() => undefined);
const succeed = (model: string, accountId = 'served') => health.attempt({ accountId, model }, async () => 'ok');
const isBrokenFor = (model: string, accountId = 'other') => health.isBrokenFor({ accountId, model });

/** All accounts fail once, with the models in turn. */
async function failAll(...models: readonly string[]): Promise<void> {
  for (const [index, account] of ACCOUNTS.entries()) await fail(models[index % models.length] ?? '', account);
}

describe('ChannelHealth', () => {
  it('closes a model that fails for all, and no other model', async () => {
    await failAll('down');
    expect([isBrokenFor('down'), isBrokenFor('up')]).toEqual([true, false]);
    expect(await succeed('down')).toBeUndefined();
    expect(await succeed('up')).toBe('ok');
    expect(health.brokenModels).toEqual([['down', 1_000]]);
  });

  it('closes a model for one account, and no other model of that account', async () => {
    for (let failure = 0; failure < 5; failure += 1) await fail('down', 'first');
    expect([isBrokenFor('down', 'first'), isBrokenFor('up', 'first'), isBrokenFor('down')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([health.brokenAccounts, health.brokenModels]).toEqual([1, []]);
  });

  it('closes every model after failures of two models', async () => {
    await failAll('down', 'down too');
    expect(isBrokenFor('third model')).toBe(true);
    expect(await succeed('third model')).toBeUndefined();
    expect(health.remainingMs({ accountId: 'other', model: 'third model' })).toBe(1_000);
    jest.advanceTimersByTime(1_000);
    expect(await succeed('third model')).toBe('ok');
    expect(isBrokenFor('down')).toBe(false);
  });

  it('lets no model with an open breaker run the trial of the channel', async () => {
    await failAll('down');
    jest.advanceTimersByTime(1_000);
    await fail('down', 'first');
    await fail('down too', 'second');
    expect(isBrokenFor('up')).toBe(true);
    jest.advanceTimersByTime(1_000);
    expect(await succeed('down')).toBeUndefined();
    expect(await succeed('up')).toBe('ok');
  });

  it('stays open for other models while any model succeeds in between', async () => {
    for (const account of ACCOUNTS) {
      await fail('down', account);
      await succeed('up');
      await fail('down too', account);
    }
    expect([isBrokenFor('up'), isBrokenFor('down')]).toEqual([false, true]);
  });

  it('is broken while a model is closed for all and no call succeeds', async () => {
    await failAll('down');
    expect(health.isBroken).toBe(true);
    await succeed('up');
    expect(health.isBroken).toBe(false);
  });

  it('reports unhealthy once, and healthy again at the next success of any call', async () => {
    for (let failure = 0; failure < 6; failure += 1) await fail('down', 'first');
    expect(reported).toEqual([true]);
    await succeed('up');
    await succeed('up');
    expect(reported).toEqual([true, false]);
  });
});
