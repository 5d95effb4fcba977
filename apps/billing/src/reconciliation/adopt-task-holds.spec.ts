import type { adoptOrphanTaskHolds as Adopt } from '@gateway/postgres';
import { describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, fakeMetrics, mockOf } from '../test-support/fakes.js';

const adoptOrphanTaskHolds = mockOf<typeof Adopt>();
jest.unstable_mockModule('@gateway/postgres', () => ({ adoptOrphanTaskHolds }));
const { AdoptTaskHolds } = await import('./adopt-task-holds.service.js');

function setUp() {
  const invalidate = jest.fn(async (_keySha256: readonly string[]) => undefined);
  const { logger, lines } = fakeLogger();
  const { metrics, changes } = fakeMetrics();
  const service = new AdoptTaskHolds({} as never, metrics, logger, { invalidate } as never);
  return { service, invalidate, lines, changes };
}

describe('AdoptTaskHolds', () => {
  it('counts the adopted holds and invalidates the keys with a spend cap', async () => {
    const { service, invalidate, lines, changes } = setUp();
    adoptOrphanTaskHolds.mockResolvedValue({ adopted: 2, cappedKeys: ['sha'] } as never);
    await service.adopt(60_000);
    expect(adoptOrphanTaskHolds).toHaveBeenCalledWith(expect.anything(), 60_000);
    expect(invalidate).toHaveBeenCalledWith(['sha']);
    expect(changes).toEqual([['adoptedTaskHolds', 2]]);
    expect(lines).toMatchObject([{ level: 'warn', fields: { adopted: 2 } }]);
  });

  it('does nothing when another process has adopted them', async () => {
    const { service, invalidate, lines, changes } = setUp();
    adoptOrphanTaskHolds.mockResolvedValue({ adopted: 0, cappedKeys: [] } as never);
    await service.adopt(60_000);
    expect(invalidate).not.toHaveBeenCalled();
    expect([lines, changes]).toEqual([[], []]);
  });
});
