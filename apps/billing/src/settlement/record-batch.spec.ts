import type { parkEvent as ParkEvent, recordSettlements as RecordSettlements } from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, fakeMetrics, mockOf, usageEntry } from '../test-support/fakes.js';
import type { AnnounceBooked } from './announce-booked.service.js';

class InvalidData extends Error {}

const recordSettlements = mockOf<typeof RecordSettlements>();
const parkEvent = mockOf<typeof ParkEvent>();
jest.unstable_mockModule('@gateway/postgres', () => ({
  recordSettlements,
  parkEvent,
  entryIdOf: ({ streamId }: { streamId: string }) => streamId,
  isInvalidDataError: (error: unknown) => error instanceof InvalidData,
}));
const { RecordBatch } = await import('./record-batch.service.js');

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => usageEntry(id)) as [
  ReturnType<typeof usageEntry>,
  ReturnType<typeof usageEntry>,
  ReturnType<typeof usageEntry>,
  ReturnType<typeof usageEntry>,
];
const recorded = (newRequests: number, doubleCharges: readonly string[] = []) =>
  ({ outcome: 'recorded', newRequests, doubleCharges, spendings: [], capCounts: [] }) as const;
const EPOCH = () => 7n;
const NOTHING = { spendings: [], capCounts: [] };
const acknowledged = (id: string, isDuplicate: boolean) =>
  expect.objectContaining({ streamId: `stream-${id}`, accountId: `acct_${id}`, costNanoUsd: 5n, isDuplicate });

function setUp() {
  const order: string[] = [];
  const acknowledge = mockOf<AdmissionStore['acknowledge']>();
  acknowledge.mockImplementation(async () => order.push('acknowledge'));
  const { logger, lines } = fakeLogger();
  const { metrics, changes } = fakeMetrics();
  const store = { acknowledge } as unknown as AdmissionStore;
  const announceBooked = { announce: () => order.push('announce') } as unknown as AnnounceBooked;
  const service = new RecordBatch({} as never, store, metrics, logger, announceBooked);
  return { service, acknowledge, order, lines, changes };
}

/** The ledger rejects every batch that contains one of these entries. */
const rejectEntries = (...invalid: readonly unknown[]) =>
  recordSettlements.mockImplementation(async (_database, entries) => {
    if (entries.some((entry) => invalid.includes(entry))) throw new InvalidData('out of range');
    return recorded(entries.length);
  });

beforeEach(() => {
  recordSettlements.mockReset();
  parkEvent.mockReset();
  parkEvent.mockResolvedValue(undefined);
});

describe('RecordBatch', () => {
  it('acknowledges a batch only after its commit', async () => {
    const { service, acknowledge, order, changes } = setUp();
    recordSettlements.mockImplementation(async () => {
      order.push('commit');
      return recorded(2);
    });
    expect(await service.record([a, b], EPOCH)).toBe(true);
    expect(order).toEqual(['commit', 'acknowledge', 'announce']);
    expect(recordSettlements).toHaveBeenCalledWith(expect.anything(), [a, b], EPOCH);
    expect(acknowledge).toHaveBeenCalledWith([acknowledged('a', false), acknowledged('b', false)], NOTHING);
    expect(changes).toEqual([
      ['settlements', { result: 'new' }, 2],
      ['settlements', { result: 'repeated' }, 0],
    ]);
  });

  it('counts a repeated event, and charges it once', async () => {
    const { service, acknowledge, changes } = setUp();
    recordSettlements.mockResolvedValue(recorded(0));
    expect(await service.record([a], EPOCH)).toBe(true);
    expect(acknowledge).toHaveBeenCalledWith([acknowledged('a', false)], NOTHING);
    expect(changes).toContainEqual(['settlements', { result: 'repeated' }, 1]);
  });

  it('returns the cost of a request that Redis charged twice, and logs an error', async () => {
    const { service, acknowledge, lines } = setUp();
    recordSettlements.mockResolvedValue(recorded(1, [b.streamId]));
    await service.record([a, b], EPOCH);
    expect(acknowledge).toHaveBeenCalledWith([acknowledged('a', false), acknowledged('b', true)], NOTHING);
    expect(lines).toMatchObject([{ level: 'error', fields: { streamIds: [b.streamId] } }]);
  });

  it('gives Redis the spending of the keys and the counts of their caps', async () => {
    const { service, acknowledge } = setUp();
    const spendings = [{ keyId: 'key_a', spentNanoUsd: '5' }] as never;
    const capCounts = [
      { accountId: 'acct_a', counter: 'key_a:day:0', requests: '1', tokens: '3', cost: '5', version: '2' },
    ];
    recordSettlements.mockResolvedValue({ ...recorded(1), spendings, capCounts });
    await service.record([a], EPOCH);
    expect(acknowledge).toHaveBeenCalledWith([acknowledged('a', false)], { spendings, capCounts });
  });

  it('acknowledges nothing while the ledger is not in the epoch', async () => {
    const { service, acknowledge } = setUp();
    recordSettlements.mockResolvedValue({ outcome: 'wait' });
    expect(await service.record([a], EPOCH)).toBe(false);
    expect(acknowledge).not.toHaveBeenCalled();
  });

  it('acknowledges and parks nothing while PostgreSQL is down', async () => {
    const { service, acknowledge } = setUp();
    recordSettlements.mockRejectedValue(new Error('Connection terminated unexpectedly'));
    await expect(service.record([a, b], EPOCH)).rejects.toThrow('Connection terminated');
    expect(acknowledge).not.toHaveBeenCalled();
    expect(parkEvent).not.toHaveBeenCalled();
    expect(recordSettlements).toHaveBeenCalledTimes(1);
  });

  it('rejects while Redis is down after the commit, so that the caller repeats the batch', async () => {
    const { service, acknowledge } = setUp();
    recordSettlements.mockResolvedValue(recorded(1));
    acknowledge.mockRejectedValue(new Error('Connection is closed.'));
    await expect(service.record([a], EPOCH)).rejects.toThrow('Connection is closed.');
  });

  it('parks an event that the ledger rejects: its customer does not pay, and the other events continue', async () => {
    const { service, acknowledge, lines, changes } = setUp();
    rejectEntries(c);
    expect(await service.record([a, b, c, d], EPOCH)).toBe(true);
    expect(parkEvent.mock.calls).toEqual([[expect.anything(), c, 'out of range']]);
    expect(acknowledge).toHaveBeenCalledTimes(1);
    expect(acknowledge).toHaveBeenCalledWith(
      [acknowledged('a', false), acknowledged('b', false), acknowledged('c', true), acknowledged('d', false)],
      NOTHING,
    );
    expect(lines).toMatchObject([{ level: 'error', message: 'usage event parked', fields: { requestId: 'req_c' } }]);
    expect(changes).toContainEqual(['settlements', { result: 'parked' }]);
  });

  it('parks every event of a batch that is all invalid', async () => {
    const { service, acknowledge } = setUp();
    rejectEntries(a, b, c);
    expect(await service.record([a, b, c], EPOCH)).toBe(true);
    expect(parkEvent.mock.calls.map(([, entry]) => entry)).toEqual([a, b, c]);
    expect(acknowledge).toHaveBeenCalledWith(
      ['a', 'b', 'c'].map((id) => acknowledged(id, true)),
      NOTHING,
    );
  });

  it('acknowledges nothing when the invalid event cannot be parked', async () => {
    const { service, acknowledge } = setUp();
    rejectEntries(a);
    parkEvent.mockRejectedValue(new Error('Connection terminated unexpectedly'));
    await expect(service.record([a, b], EPOCH)).rejects.toThrow('Connection terminated');
    expect(acknowledge).not.toHaveBeenCalled();
  });

  it.each([
    ['first', 'a'],
    ['second', 'b'],
  ])('acknowledges nothing when the %s half must wait for the epoch', async (_half, waiting) => {
    const { service, acknowledge } = setUp();
    recordSettlements.mockImplementation(async (_database, entries) => {
      if (entries.length > 1) throw new InvalidData('out of range');
      return entries[0]?.event.requestId === `req_${waiting}` ? { outcome: 'wait' } : recorded(1);
    });
    expect(await service.record([a, b], EPOCH)).toBe(false);
    expect(acknowledge).not.toHaveBeenCalled();
  });
});
