import { newRequestId, responseIdOf } from '@gateway/contracts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ResponseWriter } from './response-writer.service.js';

const FINISHED = {
  id: responseIdOf(newRequestId()),
  accountId: 'acct_a',
  keyId: 'key_a',
  isTest: false,
  model: 'm',
  status: 'completed',
  previousId: null,
  input: '"a"',
  response: '{}',
  outputItemIds: [],
};

/** A writer over a store whose calls end as `outcomes` say; the last one repeats. */
function writing(...outcomes: ('stored' | 'fails' | 'hangs')[]) {
  const calls: string[] = [];
  const outcomeCounts: string[] = [];
  const record = (): Promise<void> => {
    const outcome = outcomes[Math.min(calls.length, outcomes.length - 1)] ?? 'stored';
    calls.push(outcome);
    if (outcome === 'hangs') return new Promise(() => undefined);
    return outcome === 'stored' ? Promise.resolve() : Promise.reject(new Error('away'));
  };
  const metrics = { storedResponses: { inc: ({ outcome }: { outcome: string }) => outcomeCounts.push(outcome) } };
  const logger = { warn: () => undefined, error: () => undefined };
  const writer = new ResponseWriter({ record } as never, metrics as never, logger as never);
  return { writer, calls, outcomeCounts };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a finished response', () => {
  it('is written once', async () => {
    const { writer, calls, outcomeCounts } = writing('stored');
    await writer.write(FINISHED);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([calls, outcomeCounts]).toEqual([['stored'], []]);
  });

  it('is written again until it is stored, while its client goes on', async () => {
    const { writer, calls, outcomeCounts } = writing('fails', 'fails', 'stored');
    await writer.write(FINISHED);
    expect(calls).toEqual(['fails']);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([calls, outcomeCounts]).toEqual([['fails', 'fails', 'stored'], ['late']]);
  });

  it('is given up and counted after ten minutes', async () => {
    const { writer, calls, outcomeCounts } = writing('fails');
    await writer.write(FINISHED);
    await jest.advanceTimersByTimeAsync(11 * 60_000);
    const attempts = calls.length;
    await jest.advanceTimersByTimeAsync(11 * 60_000);
    expect([calls.length, outcomeCounts]).toEqual([attempts, ['late', 'lost']]);
  });

  it('delays its client for two seconds at most', async () => {
    const { writer } = writing('hangs');
    let isDone = false;
    const written = writer.write(FINISHED).then(() => {
      isDone = true;
    });
    await jest.advanceTimersByTimeAsync(1_900);
    expect(isDone).toBe(false);
    await jest.advanceTimersByTimeAsync(200);
    await written;
  });

  it('is awaited by a shutdown', async () => {
    const { writer, calls } = writing('fails', 'stored');
    await writer.write(FINISHED);
    const drained = writer.drain(10_000);
    await jest.advanceTimersByTimeAsync(5_000);
    await drained;
    expect(calls).toEqual(['fails', 'stored']);
  });

  it('is refused beyond the memory of the process', async () => {
    const { writer, calls, outcomeCounts } = writing('hangs');
    const large = { ...FINISHED, response: 'x'.repeat(100 * 1024 * 1024) };
    void writer.write(large);
    await writer.write(large);
    expect([calls, outcomeCounts]).toEqual([['hangs'], ['lost']]);
  });
});
