import type { keepUsageDays as Keep, keepLedgerMonths as KeepMonths } from '@gateway/postgres';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, mockOf } from '../test-support/fakes.js';

const keepUsageDays = mockOf<typeof Keep>();
const keepLedgerMonths = mockOf<typeof KeepMonths>();
jest.unstable_mockModule('@gateway/postgres', () => ({ keepLedgerMonths, keepUsageDays }));
const { KeepSums } = await import('./keep-sums.service.js');

function setUp() {
  const { logger, lines } = fakeLogger();
  return { service: new KeepSums({} as never, logger), lines };
}

beforeEach(() => {
  jest.resetAllMocks();
  keepUsageDays.mockResolvedValue(0);
  keepLedgerMonths.mockResolvedValue(0);
});

describe('KeepSums', () => {
  it('keeps days, then months, until none is left', async () => {
    const { service, lines } = setUp();
    keepUsageDays.mockResolvedValueOnce(31).mockResolvedValueOnce(7);
    keepLedgerMonths.mockResolvedValueOnce(1).mockResolvedValueOnce(1);
    await service.keep();
    expect([keepUsageDays.mock.calls.length, keepLedgerMonths.mock.calls.length]).toEqual([3, 3]);
    expect(lines).toMatchObject([{ level: 'info', fields: { days: 38, months: 2 } }]);
  });

  it('says nothing when nothing is due', async () => {
    const { service, lines } = setUp();
    await service.keep();
    expect([keepUsageDays.mock.calls.length, lines]).toEqual([1, []]);
  });

  it('ends after the days at hand when the process stops', async () => {
    const { service } = setUp();
    keepUsageDays.mockImplementation(async () => {
      void service.stop();
      return 31;
    });
    await service.keep();
    expect([keepUsageDays.mock.calls.length, keepLedgerMonths.mock.calls.length]).toEqual([1, 0]);
  });
});
