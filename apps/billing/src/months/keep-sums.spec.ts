import type { keepUsageDays as Keep } from '@gateway/postgres';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, mockOf } from '../test-support/fakes.js';

const keepUsageDays = mockOf<typeof Keep>();
jest.unstable_mockModule('@gateway/postgres', () => ({ keepUsageDays }));
const { KeepUsageDays } = await import('./keep-usage-days.service.js');

function setUp() {
  const { logger, lines } = fakeLogger();
  return { service: new KeepUsageDays({} as never, logger), lines };
}

beforeEach(() => {
  jest.resetAllMocks();
});

describe('KeepUsageDays', () => {
  it('keeps days until none is left', async () => {
    const { service, lines } = setUp();
    keepUsageDays.mockResolvedValueOnce(31).mockResolvedValueOnce(7).mockResolvedValueOnce(0);
    await service.keep();
    expect(keepUsageDays).toHaveBeenCalledTimes(3);
    expect(lines).toMatchObject([{ level: 'info', fields: { days: 38 } }]);
  });

  it('says nothing when no day is due', async () => {
    const { service, lines } = setUp();
    keepUsageDays.mockResolvedValue(0);
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
    expect(keepUsageDays).toHaveBeenCalledTimes(1);
  });
});
