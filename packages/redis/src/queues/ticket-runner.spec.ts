import { describe, expect, it, jest } from '@jest/globals';
import type { Job } from 'bullmq';
import { sampleTicket } from '../test-support/samples.js';
import { FairSlots } from './fair-slots.js';
import { TicketRunner } from './ticket-runner.js';

const jobOf = (data: unknown): Job<unknown, void> => ({ id: 'job', data }) as Job<unknown, void>;

function openRunner() {
  const [claim, end] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
  const handle = async (_ticket: unknown, _stop: AbortSignal, onClaimed: () => void): Promise<undefined> => {
    await claim.promise;
    onClaimed();
    return end.promise;
  };
  const runner = new TicketRunner({ handle, onError: () => undefined }, new FairSlots(4), async () => 0);
  return { runner, claim, end };
}

describe('TicketRunner', () => {
  it('lets a request end whose job a pending fetch brought after the drain began', async () => {
    const { runner, claim, end } = openRunner();
    const fetched = Promise.withResolvers<void>();
    let isDrained = false;
    const drained = runner.drain(fetched.promise, 30_000, 1_000).then(() => {
      isDrained = true;
    });
    const job = runner.runJob(jobOf(sampleTicket({ admittedAtMs: Date.now() })));
    claim.resolve();
    await job;
    fetched.resolve();
    await new Promise(setImmediate);
    expect([isDrained, runner.active]).toEqual([false, 1]);
    end.resolve(undefined);
    await drained;
    expect(runner.active).toBe(0);
  });

  it('returns a ticket by the clock of Redis: its own may be wrong', async () => {
    const nowMs = 1_000_000;
    const options = { handle: async () => 'requeue' as const, onError: () => undefined };
    const runner = new TicketRunner(options, new FairSlots(4), async () => nowMs);
    const isReturned = async (admittedAtMs: number) => {
      const moveToDelayed = jest.fn(async () => undefined);
      const job = { ...jobOf(sampleTicket({ admittedAtMs })), moveToDelayed } as unknown as Job<unknown, void>;
      await runner.runJob(job).catch(() => undefined);
      return moveToDelayed.mock.calls.length === 1;
    };
    expect([await isReturned(nowMs - 9_999), await isReturned(nowMs - 10_000)]).toEqual([true, false]);
  });
});
