import type { postCredit as PostCredit } from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, mockOf } from '../test-support/fakes.js';

const postCredit = mockOf<typeof PostCredit>();
const mirrorReserve = jest.fn<(...given: unknown[]) => Promise<void>>();
jest.unstable_mockModule('@gateway/postgres', () => ({ postCredit, readLedgerBalances: () => undefined }));
jest.unstable_mockModule('@gateway/redis', () => ({ mirrorReserve }));
const { CreditAccount } = await import('./credit-account.service.js');
const { ReserveMirror } = await import('../reserve-mirror.service.js');

const credit = { reference: 'r', accountId: 'acct_a', kind: 'top_up', amountNanoUsd: 5n, reason: 'test' } as const;
type Outcome = Awaited<ReturnType<typeof PostCredit>>;

function setUp() {
  const { logger, lines } = fakeLogger();
  const store = {} as AdmissionStore;
  return { service: new CreditAccount({} as never, new ReserveMirror({} as never, store, logger)), lines };
}

beforeEach(() => {
  postCredit.mockReset();
  mirrorReserve.mockReset().mockResolvedValue(undefined);
});

describe('CreditAccount', () => {
  it.each(['posted', 'repeated'])('mirrors the reserve to Redis after a %s credit', async (outcome) => {
    const { service } = setUp();
    postCredit.mockResolvedValue({ outcome, transactionId: 1n } as Outcome);
    expect(await service.credit(credit)).toMatchObject({ outcome });
    expect(mirrorReserve).toHaveBeenCalledWith(expect.anything(), 'acct_a', expect.any(Function));
  });

  it('keeps the credit while Redis is down: the next grant corrects the reserve', async () => {
    const { service, lines } = setUp();
    postCredit.mockResolvedValue({ outcome: 'posted', transactionId: 1n } as Outcome);
    mirrorReserve.mockRejectedValue(new Error('Connection is closed.'));
    expect(await service.credit(credit)).toMatchObject({ outcome: 'posted' });
    expect(lines).toMatchObject([{ level: 'warn', fields: { accountId: 'acct_a' } }]);
  });

  it.each([
    ['unknown_account', 'not_found'],
    ['conflict', 'idempotency_conflict'],
  ])('reports the outcome %s as %s and mirrors nothing', async (outcome, code) => {
    const { service } = setUp();
    postCredit.mockResolvedValue({ outcome } as Outcome);
    await expect(service.credit(credit)).rejects.toMatchObject({ code });
    expect(mirrorReserve).not.toHaveBeenCalled();
  });
});
