import type { AdmissionStore, RunningRequest } from '@gateway/redis';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, ticketOf } from '../test-support/fakes.js';
import { KeepLeases } from './keep-leases.service.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function setUp(renew: () => Promise<readonly string[]> = async () => []) {
  const renewed: [ids: string[], leaseMs: number, holdMs: number][] = [];
  const { logger, lines } = fakeLogger();
  const store: Pick<AdmissionStore, 'renew'> = {
    renew: (requests: readonly RunningRequest[], leaseMs, holdMs) => {
      const ids = requests.map(({ requestId }) => requestId as string);
      renewed.push([ids, leaseMs, holdMs]);
      return renew();
    },
  };
  const leases = new KeepLeases(store, logger);
  leases.onModuleInit();
  return { leases, renewed, lines };
}

describe('KeepLeases', () => {
  it('renews lease and hold at once and until the ticket is over', async () => {
    const { leases, renewed } = setUp();
    const [first, second] = [ticketOf({ requestId: 'req_1' }), ticketOf({ requestId: 'req_2' })];
    leases.keep(first);
    leases.keep(second);
    expect(renewed).toEqual([
      [['req_1'], 60_000, 720_000],
      [['req_2'], 60_000, 720_000],
    ]);
    jest.advanceTimersByTime(15_000);
    expect(renewed.at(-1)?.[0]).toEqual(['req_1', 'req_2']);
    leases.release(first);
    jest.advanceTimersByTime(15_000);
    expect(renewed.at(-1)?.[0]).toEqual(['req_2']);
    leases.release(second);
    jest.advanceTimersByTime(60_000);
    expect(renewed).toHaveLength(4);
    leases.onApplicationShutdown();
  });

  it('retries a renewal that Redis refused', async () => {
    const { leases, renewed, lines } = setUp(() => Promise.reject(new Error('away')));
    leases.keep(ticketOf());
    await jest.advanceTimersByTimeAsync(15_000);
    expect([renewed.length, lines.length, lines[0]?.[0]]).toEqual([2, 2, 'warn']);
    leases.onApplicationShutdown();
  });
});
