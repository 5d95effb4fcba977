import { SHARDS } from '@gateway/contracts';
import type { ShardEpochs, UsageEntry, UsageStream } from '@gateway/redis';
import { describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, fakeMetrics, mockOf, usageEntry } from '../test-support/fakes.js';

import type { ShardsToRead } from './consume-usage.service.js';
import type { RecordBatch } from './record-batch.service.js';

jest.unstable_mockModule('@gateway/postgres', () => ({
  recordSettlements: () => undefined,
  parkEvent: () => undefined,
  isInvalidDataError: () => false,
  entryIdOf: () => '',
}));
const { ConsumeUsage } = await import('./consume-usage.service.js');

const AT_ONCE = { blockMs: 1, staleAfterMs: 0 };
const batch = [usageEntry('a'), usageEntry('b')];
const { signal } = new AbortController();

interface Given {
  readonly stale?: readonly UsageEntry[];
  readonly fresh?: readonly UsageEntry[];
  /** The epoch in which the ledger follows the shard of the entries. */
  readonly followed?: string | null;
  /** Each read of the epochs after the entries consumes one; the last one repeats. Undefined: Redis does not reply. */
  readonly epochs?: readonly (string | null | undefined)[];
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

/** The shard of the entries, and one that has lost its data. */
const HELD = [3, 4];
const everywhere = (epoch: string | null | undefined): ShardEpochs =>
  SHARDS.map((shard) => (shard === 4 ? null : epoch));

function setUp({ stale = [], fresh = batch, followed = '7', epochs = ['7'], outcomes = [true] }: Given = {}) {
  const claimStale = mockOf<UsageStream['claimStale']>().mockResolvedValue([...stale]);
  const read = mockOf<UsageStream['read']>().mockResolvedValue([...fresh]);
  const record = mockOf<RecordBatch['record']>().mockImplementation(inOrder<boolean>(outcomes));
  const { logger, lines } = fakeLogger();
  const { metrics, changes } = fakeMetrics();
  const nextEpoch = inOrder<string | null | undefined>(epochs);
  const shards: ShardsToRead = {
    consumer: 'billing-1',
    held: () => HELD,
    followed: () => everywhere(followed),
    epochsNow: async () => everywhere(await nextEpoch()),
  };
  const service = new ConsumeUsage({ claimStale, read }, shards, metrics, logger, { record } as never);
  const recorded = () => record.mock.calls.map(([entries, epochOf]) => [entries, epochOf(3)]);
  return { service, claimStale, read, record, recorded, lines, changes };
}

describe('ConsumeUsage', () => {
  it('records a new batch in the epoch in which it was read, of the shards with an epoch', async () => {
    const { service, recorded, read, changes } = setUp();
    expect(await service.consume(AT_ONCE, signal)).toBe(2);
    expect(read).toHaveBeenCalledWith({ consumer: 'billing-1', count: 500, blockMs: 1, shards: [3] });
    expect(recorded()).toEqual([[batch, 7n]]);
    expect(changes).toEqual([['batchSeconds', 'observed']]);
  });

  it('records what a dead consumer has read before it reads new entries', async () => {
    const stale = [usageEntry('stale')];
    const { service, recorded, read, claimStale } = setUp({ stale });
    expect(await service.consume(AT_ONCE, signal)).toBe(1);
    expect(claimStale).toHaveBeenCalledWith({ consumer: 'billing-1', minIdleMs: 0, count: 500, shards: [3] });
    expect(recorded()).toEqual([[stale, 7n]]);
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

  it('claims more rarely while nothing happens, and at once after a full claim', async () => {
    const { service, claimStale } = setUp({ fresh: [] });
    let nowMs = 10_000;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const claimedAt: number[] = [];
    claimStale.mockImplementation(async () => {
      claimedAt.push((nowMs - 10_000) / 1_000);
      // Two claims at the end find more than they may take.
      return nowMs < 200_000 ? [] : Array.from({ length: 500 }, (_, index) => usageEntry(`${index}`));
    });
    for (; nowMs <= 201_000; nowMs += 1_000) await service.consume({ blockMs: 1, staleAfterMs: 5_000 }, signal);
    expect(claimedAt).toEqual([0, 2, 6, 14, 30, 62, 126, 190, 191]);
    jest.restoreAllMocks();
  });

  it('claims soon what a lost reply may have brought, also after a long rest', async () => {
    const { service, claimStale, read } = setUp({ fresh: [] });
    const now = jest.spyOn(performance, 'now');
    const consumeAt = (seconds: number) => {
      now.mockReturnValue(seconds * 1_000);
      return service.consume({ blockMs: 1, staleAfterMs: 5_000 }, signal);
    };
    for (const seconds of [10, 12, 16, 24]) await consumeAt(seconds);
    read.mockRejectedValueOnce(new Error('read ECONNRESET'));
    await expect(consumeAt(25)).rejects.toThrow('ECONNRESET');
    expect(claimStale).toHaveBeenCalledTimes(4);
    await consumeAt(26);
    expect(claimStale).toHaveBeenCalledTimes(5);
    jest.restoreAllMocks();
  });

  it('records nothing when the streams are empty', async () => {
    const { service, record, changes } = setUp({ fresh: [] });
    expect(await service.consume(AT_ONCE, signal)).toBe(0);
    expect(record).not.toHaveBeenCalled();
    expect(changes).toEqual([]);
  });

  it('reads nothing while the ledger follows none of its shards', async () => {
    const { service, read, claimStale } = setUp({ followed: null });
    expect(await service.consume(AT_ONCE, signal)).toBe(0);
    expect(read).not.toHaveBeenCalled();
    expect(claimStale).not.toHaveBeenCalled();
  });

  it.each([
    ['another epoch', '8'],
    ['no epoch', null],
    ['no response', undefined],
  ])('leaves a batch to a later claim when its shard has %s after the read', async (_what, epoch) => {
    const { service, record } = setUp({ epochs: [epoch] });
    expect(await service.consume(AT_ONCE, signal)).toBe(2);
    expect(record).not.toHaveBeenCalled();
  });

  it('records batches of 500 when several shards return more', async () => {
    const { service, record } = setUp({ fresh: Array.from({ length: 1_100 }, (_, index) => usageEntry(`${index}`)) });
    expect(await service.consume(AT_ONCE, signal)).toBe(1_100);
    expect(record.mock.calls.map(([entries]) => entries.length)).toEqual([500, 500, 100]);
  });

  it('retries the same batch while PostgreSQL is down', async () => {
    const { service, recorded, lines } = setUp({ outcomes: [new Error('Connection terminated'), true] });
    expect(await service.consume(AT_ONCE, signal)).toBe(2);
    expect(recorded()).toEqual([
      [batch, 7n],
      [batch, 7n],
    ]);
    expect(lines).toMatchObject([{ level: 'warn', fields: { entries: 2 } }]);
  });

  it('retries while the ledger is not in the epoch, and while Redis does not respond in between', async () => {
    const { service, record } = setUp({ outcomes: [false, false, true], epochs: ['7', null, undefined, '7'] });
    await service.consume(AT_ONCE, signal);
    expect(record).toHaveBeenCalledTimes(3);
  });

  it('records the other shards when the ledger is not in the epoch of one', async () => {
    const other = { ...usageEntry('other'), shard: 5 };
    const { service, record } = setUp({ fresh: [...batch, other] });
    let isReady = false;
    record.mockImplementation(async (entries) => {
      if (entries.length === 1) isReady = true;
      return entries.length === 1 || (isReady && !entries.some(({ shard }) => shard === 5));
    });
    await service.consume(AT_ONCE, signal);
    expect(record.mock.calls.map(([entries]) => entries.length)).toEqual([3, 2, 1, 2]);
  });

  it('gives a batch up when its shard begins another epoch: its data is lost', async () => {
    const { service, record } = setUp({ outcomes: [false], epochs: ['7', '8'] });
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
