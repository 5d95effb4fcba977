import type { analyzeMonths as Analyze, makeMonthPartitions as Make, readMonthState as Read } from '@gateway/postgres';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, mockOf } from '../test-support/fakes.js';

const makeMonthPartitions = mockOf<typeof Make>();
const readMonthState = mockOf<typeof Read>();
const analyzeMonths = mockOf<typeof Analyze>();
jest.unstable_mockModule('@gateway/postgres', () => ({ analyzeMonths, makeMonthPartitions, readMonthState }));
const { MakeMonths } = await import('./make-months.service.js');

function setUp() {
  const { logger, lines } = fakeLogger();
  const metrics = { monthsEnd: { set: jest.fn() }, monthStrays: { set: jest.fn() } };
  return { service: new MakeMonths({} as never, metrics as never, logger), metrics, lines };
}

beforeEach(() => {
  jest.resetAllMocks();
  readMonthState.mockResolvedValue({ endsAt: new Date('2027-03-01Z'), strays: 0 });
});

describe('MakeMonths', () => {
  it('makes three months ahead, and reports when the last one ends', async () => {
    const { service, metrics, lines } = setUp();
    makeMonthPartitions.mockResolvedValue(['settlement_y2027m02']);
    await service.make();
    expect(makeMonthPartitions).toHaveBeenCalledWith(expect.anything(), 3);
    expect(lines).toMatchObject([{ level: 'info', fields: { partitions: ['settlement_y2027m02'] } }]);
    expect(metrics.monthsEnd.set).toHaveBeenCalledWith(Date.UTC(2027, 2) / 1_000);
    expect(metrics.monthStrays.set).toHaveBeenCalledWith(0);
  });

  it('says nothing when no month is missing', async () => {
    const { service, lines } = setUp();
    makeMonthPartitions.mockResolvedValue([]);
    await service.make();
    expect(lines).toEqual([]);
    expect(analyzeMonths).toHaveBeenCalledTimes(1);
  });

  it('reports the state of the months also when making one fails', async () => {
    const { service, metrics } = setUp();
    makeMonthPartitions.mockRejectedValue(new Error('lock timeout'));
    readMonthState.mockResolvedValue({ endsAt: new Date('2026-12-01Z'), strays: 4 });
    await expect(service.make()).rejects.toThrow('lock timeout');
    expect(metrics.monthsEnd.set).toHaveBeenCalledWith(Date.UTC(2026, 11) / 1_000);
    expect(metrics.monthStrays.set).toHaveBeenCalledWith(4);
  });
});
