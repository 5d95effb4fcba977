import type { UsageEntry, UsageStream } from '@gateway/redis';
import { describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, fakeMetrics, mockOf, usageEntry } from '../test-support/fakes.js';

import type { RecordBatch } from './record-batch.service.js';

jest.unstable_mockModule('@gateway/postgres', () => ({
  recordSettlements: () => undefined,
  parkEvent: () => undefined,
  isInvalidDataError: () => false,
}));
const { ConsumeUsage } = await import('./consume-usage.service.js');

const AT_ONCE = { blockMs: 1, staleAfterMs: 0 };
const batch = [usageEntry('a'), usageEntry('b')];
const { signal } = new AbortController();

interface Given {
  readonly stale?: readonly UsageEntry[];
  readonly fresh?: readonly UsageEntry[];
  /** Each read of the epoch consumes one; the last one repeats. An error: Redis is down. */
  readonly epochs?: readonly (string | null | Error)[];
  /** Each call of `record` consumes one; the last one repeats. */
  readonly outcomes?: readonly (boolean | Error)[];
}

const inOrder = <Value>(values: readonly (Value | Error)[]) => {
  let index = 0;
  return async (): Promise<Value> => {
    const value = values[Math.min(index, values.length - 1)] as Value | Error;
    index += 1;
    if (value instanceof Error) throw value;
    return value;
  };
};

function setUp({ stale = [], fresh = batch, epochs = ['7'], outcomes = [true] }: Given = {}) {
  const claimStale = mockOf<UsageStream['claimStale']>().mockResolvedValue([...stale]);
  const read = mockOf<UsageStream['read']>().mockResolvedValue([...fresh]);
  const record = mockOf<RecordBatch['record']>().mockImplementation(inOrder<boolean>(outcomes));
  const { logger, lines } = fakeLogger();
  const { metrics, changes } = fakeMetrics();
  const store = { currentEpoch: inOrder<string | null>(epochs) };
  const recordBatch = { record } as never;
  const service = new ConsumeUsage({ claimStale, read }, store, 'billing-1', metrics, logger, recordBatch);
  return { service, claimStale, read, record, lines, changes };
}

describe('ConsumeUsage', () => {
  it('records a new batch in the epoch in which it was read', async () => {
    const { service, record, read, changes } = setUp();
    expect(await service.consume(AT_ONCE, signal)).toBe(2);
    expect(read).toHaveBeenCalledWith({ consumer: 'billing-1', count: 500, blockMs: 1 });
    expect(record.mock.calls).toEqual([[batch, 7n]]);
    expect(changes).toEqual([['batchSeconds', 'observed']]);
  });

  it('records what a dead consumer has read before it reads new entries', async () => {
    const stale = [usageEntry('stale')];
    const { service, record, read, claimStale } = setUp({ stale });
    expect(await service.consume(AT_ONCE, signal)).toBe(1);
    expect(claimStale).toHaveBeenCalledWith({ consumer: 'billing-1', minIdleMs: 0, count: 500 });
    expect(record.mock.calls).toEqual([[stale, 7n]]);
    expect(read).not.toHaveBeenCalled();
  });

  it('claims stale entries at most every two seconds', async () => {
    const { service, claimStale } = setUp();
    // The first claim is due only when the process is older than the interval.
    jest.spyOn(performance, 'now').mockReturnValueOnce(10_000).mockReturnValueOnce(11_999).mockReturnValueOnce(12_000);
    for (let round = 0; round < 3; round += 1) await service.consume({ blockMs: 1, staleAfterMs: 5_000 }, signal);
    expect(claimStale).toHaveBeenCalledTimes(2);
    jest.restoreAllMocks();
  });

  it('records nothing when the stream is empty', async () => {
    const { service, record, changes } = setUp({ fresh: [] });
    expect(await service.consume(AT_ONCE, signal)).toBe(0);
    expect(record).not.toHaveBeenCalled();
    expect(changes).toEqual([]);
  });

  it.each([
    ['has no epoch', null],
    ['is down', new Error('Connection is closed.')],
  ])('reads nothing while Redis %s', async (_what, epoch) => {
    const { service, read, claimStale } = setUp({ epochs: [epoch] });
    expect(await service.consume(AT_ONCE, signal)).toBe(0);
    expect(read).not.toHaveBeenCalled();
    expect(claimStale).not.toHaveBeenCalled();
  });

  it.each([
    ['another epoch', '8'],
    ['no epoch', null],
    ['no response', new Error('Connection is closed.')],
  ])('leaves a batch to a later claim when Redis has %s after the read', async (_what, epoch) => {
    const { service, record } = setUp({ epochs: ['7', epoch] });
    expect(await service.consume(AT_ONCE, signal)).toBe(2);
    expect(record).not.toHaveBeenCalled();
  });

  it('retries the same batch while PostgreSQL is down', async () => {
    const { service, record, lines } = setUp({ outcomes: [new Error('Connection terminated'), true] });
    expect(await service.consume(AT_ONCE, signal)).toBe(2);
    expect(record.mock.calls).toEqual([
      [batch, 7n],
      [batch, 7n],
    ]);
    expect(lines).toMatchObject([{ level: 'warn', fields: { entries: 2 } }]);
  });

  it('retries while the ledger is not in the epoch, and while Redis does not respond in between', async () => {
    const { service, record } = setUp({
      outcomes: [false, false, true],
      epochs: ['7', '7', null, new Error('Connection is closed.'), '7'],
    });
    await service.consume(AT_ONCE, signal);
    expect(record).toHaveBeenCalledTimes(3);
  });

  it('gives a batch up when Redis begins another epoch: its data is lost', async () => {
    const { service, record } = setUp({ outcomes: [false], epochs: ['7', '7', '8'] });
    expect(await service.consume(AT_ONCE, signal)).toBe(2);
    expect(record).toHaveBeenCalledTimes(1);
  });

  it('leaves a batch to another process when it stops', async () => {
    const stopping = new AbortController();
    const { service, record } = setUp({ outcomes: [false] });
    record.mockImplementation(async () => {
      stopping.abort();
      return false;
    });
    await service.consume(AT_ONCE, stopping.signal);
    expect(record).toHaveBeenCalledTimes(1);
  });
});
