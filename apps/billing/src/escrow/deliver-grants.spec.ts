import type {
  markDelivered as MarkDelivered,
  undeliveredGrants as Undelivered,
  UndeliveredGrant,
} from '@gateway/postgres';
import type { AdmissionStore } from '@gateway/redis';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { fakeLogger, mockOf } from '../test-support/fakes.js';

const undeliveredGrants = mockOf<typeof Undelivered>();
const markDelivered = mockOf<typeof MarkDelivered>();
jest.unstable_mockModule('@gateway/postgres', () => ({ undeliveredGrants, markDelivered }));
const { DeliverGrants } = await import('./deliver-grants.service.js');

const grant = (sequence: bigint, more: Partial<UndeliveredGrant> = {}): UndeliveredGrant =>
  ({
    accountId: 'acct_a',
    sequence,
    epoch: 7n,
    amountNanoUsd: 10n,
    customerNanoUsd: 90n,
    customerVersion: 3n,
    ageMs: 0,
    ...more,
  }) as UndeliveredGrant;

type Outcome = Awaited<ReturnType<AdmissionStore['grant']>>;

function setUp(...outcomes: readonly (Outcome | Error)[]) {
  const deliverToRedis = mockOf<AdmissionStore['grant']>();
  for (const outcome of outcomes) {
    if (outcome instanceof Error) deliverToRedis.mockRejectedValueOnce(outcome);
    else deliverToRedis.mockResolvedValueOnce(outcome);
  }
  const { logger, lines } = fakeLogger();
  const store = { grant: deliverToRedis } as unknown as AdmissionStore;
  return { service: new DeliverGrants({} as never, store, logger), deliverToRedis, lines };
}

beforeEach(() => {
  undeliveredGrants.mockReset();
  markDelivered.mockReset();
});

describe('DeliverGrants', () => {
  it('delivers the grants of an account in order and marks them', async () => {
    const { service, deliverToRedis, lines } = setUp('applied', 'applied');
    undeliveredGrants.mockResolvedValue([grant(1n), grant(2n)]);
    expect(await service.deliver('acct_a')).toBe(true);
    expect(deliverToRedis.mock.calls[0]).toEqual([
      {
        accountId: 'acct_a',
        sequence: 1n,
        epoch: '7',
        amountNanoUsd: 10n,
        reserveNanoUsd: 90n,
        reserveVersion: 3n,
      },
    ]);
    expect(markDelivered.mock.calls).toEqual([[expect.anything(), 'acct_a', [1n, 2n]]]);
    expect(lines).toEqual([]);
  });

  it('stops at a grant of another epoch and marks only those before it', async () => {
    const { service, deliverToRedis } = setUp('applied', 'wrong_epoch');
    undeliveredGrants.mockResolvedValue([grant(1n), grant(2n), grant(3n)]);
    expect(await service.deliver('acct_a')).toBe(false);
    expect(deliverToRedis).toHaveBeenCalledTimes(2);
    expect(markDelivered.mock.calls).toEqual([[expect.anything(), 'acct_a', [1n]]]);
  });

  it('marks nothing while Redis is down, so that a later round delivers again', async () => {
    const { service } = setUp('applied', new Error('Connection is closed.'));
    undeliveredGrants.mockResolvedValue([grant(1n), grant(2n)]);
    await expect(service.deliver('acct_a')).rejects.toThrow('Connection is closed.');
    expect(markDelivered).not.toHaveBeenCalled();
  });

  it('marks a grant that Redis had already, and does not count it as abandoned', async () => {
    const { service, lines } = setUp('repeated' as Outcome);
    undeliveredGrants.mockResolvedValue([grant(1n, { ageMs: 60_000 })]);
    expect(await service.deliver('acct_a')).toBe(true);
    expect(markDelivered.mock.calls).toEqual([[expect.anything(), 'acct_a', [1n]]]);
    expect(lines).toEqual([]);
  });

  it('delivers abandoned grants account by account and logs their amounts', async () => {
    const { service, lines } = setUp('applied', 'applied', 'applied');
    undeliveredGrants.mockResolvedValue([
      grant(1n, { ageMs: 2_000 }),
      grant(4n, { accountId: 'acct_b', ageMs: 1_999 }),
      grant(2n, { ageMs: 3_000 }),
    ]);
    await service.redeliverAbandoned(2_000);
    expect(undeliveredGrants).toHaveBeenCalledWith(expect.anything(), { olderThanMs: 2_000, limit: 500 });
    expect(markDelivered.mock.calls).toEqual([
      [expect.anything(), 'acct_a', [1n, 2n]],
      [expect.anything(), 'acct_b', [4n]],
    ]);
    expect(lines).toMatchObject([{ level: 'warn', fields: { accountId: 'acct_a', amountNanoUsd: '20' } }]);
  });
});
