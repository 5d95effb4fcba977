import { describe, expect, it, jest } from '@jest/globals';
import type { Logger } from 'pino';
import { logOutages } from './log-outages.js';

describe('logOutages', () => {
  it('logs each problem of a peer once, without its stack', () => {
    const warn = jest.fn();
    const log = logOutages({ warn } as unknown as Logger);
    for (let times = 0; times < 40; times += 1) log('redis', new Error('refused'));
    log('redis', new Error('reset'));
    log('postgres', new Error('refused'));
    expect(warn.mock.calls).toEqual([
      [{ peer: 'redis', problem: 'refused' }, 'connection failed'],
      [{ peer: 'redis', problem: 'reset' }, 'connection failed'],
      [{ peer: 'postgres', problem: 'refused' }, 'connection failed'],
    ]);
  });
});
