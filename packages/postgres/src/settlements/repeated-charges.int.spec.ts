import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { activateEpoch, nextEpoch } from '../epochs/epochs.js';
import { grantEscrow } from '../escrow/grant-escrow.js';
import { findKey } from '../keys/find-key.js';
import { readLedgerBalances } from '../ledger/balance.js';
import { checkLedger } from '../ledger/check-ledger.js';
import { reverseTransaction } from '../ledger/reverse-transaction.js';
import { sampleEvent, TestDatabase } from '../test-support/test-database.js';
import { recordSettlements } from './record-settlements.js';
import { listRepeatedCharges, refundRepeatedCharge } from './repeated-charges.js';

const HOUR_MS = 3_600_000;
const HASH = 'a'.repeat(64);
const LONG_AGO_MS = 60 * 365 * 24 * HOUR_MS;

describe('repeated charges', () => {
  let test: TestDatabase;
  let epoch: bigint;
  let entries = 0;

  beforeAll(async () => {
    test = await TestDatabase.open();
    epoch = await nextEpoch(test.database);
    await activateEpoch(test.database, epoch);
  });

  afterAll(() => test.close());

  async function account(): Promise<Parameters<typeof sampleEvent>[0]> {
    const accountId = await test.account(1_000n);
    const block = { blockLimitNanoUsd: 1n, blockDivisor: 20n };
    await grantEscrow(test.database, { accountId, missingNanoUsd: 1_000n, ...block });
    return accountId;
  }

  /** Records one charge, admitted as it was settled unless the test says otherwise; returns its request id. */
  async function charge(
    accountId: Parameters<typeof sampleEvent>[0],
    cost: bigint,
    more: NonNullable<Parameters<typeof sampleEvent>[2]>,
  ): Promise<string> {
    entries += 1;
    const admitted = more.settledAtMs === undefined ? {} : { admittedAtMs: more.settledAtMs };
    const event = sampleEvent(accountId, cost, { idempotencyHash: HASH, ...admitted, ...more });
    await recordSettlements(test.database, [{ streamId: `9-${entries}`, event }], epoch);
    return event.requestId;
  }

  const list = async (accountId: string) =>
    (await listRepeatedCharges(test.database, LONG_AGO_MS)).filter((found) => found.accountId === accountId);

  it('are the later charges of one key and one work within a day', async () => {
    const [accountId, other] = [await account(), await account()];
    const first = await charge(accountId, 10n, { settledAtMs: 1 * HOUR_MS });
    const second = await charge(accountId, 11n, { settledAtMs: 2 * HOUR_MS });
    const third = await charge(accountId, 12n, { settledAtMs: 24 * HOUR_MS });
    await charge(accountId, 13n, { settledAtMs: 3 * HOUR_MS, idempotencyHash: 'b'.repeat(64) });
    await charge(accountId, 0n, { settledAtMs: 4 * HOUR_MS, outcome: 'failed' });
    await charge(other, 14n, { settledAtMs: 5 * HOUR_MS });
    const found = await list(accountId);
    expect(found.map(({ requestId }) => requestId).sort()).toEqual([second, third].sort());
    expect(found.every(({ firstRequestId }) => firstRequestId === first)).toBe(true);
    expect(await list(other)).toEqual([]);
  });

  it('end after a day: the key is free for another request', async () => {
    const accountId = await account();
    await charge(accountId, 10n, { settledAtMs: HOUR_MS });
    await charge(accountId, 10n, { settledAtMs: 25 * HOUR_MS });
    expect(await list(accountId)).toEqual([]);
  });

  it('end a day after the first was admitted, however late it was charged', async () => {
    const accountId = await account();
    const at = (admittedAtMs: number, settledAtMs: number) => charge(accountId, 10n, { admittedAtMs, settledAtMs });
    await at(HOUR_MS, 2 * HOUR_MS);
    await at(25 * HOUR_MS, 25 * HOUR_MS + 1_000);
    expect(await list(accountId)).toEqual([]);
  });

  it('are refunded once, also concurrently, with an event, and the books stay balanced', async () => {
    const accountId = await account();
    const key = await test.key(accountId);
    const first = await charge(accountId, 10n, { settledAtMs: HOUR_MS, keyId: key.id as never });
    const requestId = await charge(accountId, 30n, { settledAtMs: 2 * HOUR_MS, keyId: key.id as never });
    const [found] = await list(accountId);
    expect(found).toEqual({ requestId, accountId, firstRequestId: first });
    const twice = { requestId, firstRequestId: first };
    const refunds = await Promise.all([1, 2, 3].map(() => refundRepeatedCharge(test.database, twice)));
    expect(refunds.filter((refund) => refund !== null)).toMatchObject([
      { amountNanoUsd: 30n, spending: { spendingKeyId: key.id, spentNanoUsd: '10' } },
    ]);
    expect(await readLedgerBalances(test.database, accountId)).toMatchObject({
      customerNanoUsd: 30n,
      escrowNanoUsd: 960n,
    });
    expect(await findKey(test.database, { accountId }, key.id)).toMatchObject({ spentNanoUsd: 10n });
    expect(await list(accountId)).toEqual([]);
    const events = await test.database.prisma.accountEvent.findMany({ where: { accountId, type: 'charge.refunded' } });
    expect(events).toMatchObject([
      { subject: requestId, data: { request_id: requestId, first_request_id: first, amount_usd: '0.00000003' } },
    ]);
    expect((await checkLedger(test.database)).imbalanceNanoUsd).toBe(0n);
  });

  it('are none if the first charge was given back', async () => {
    const accountId = await account();
    const first = await charge(accountId, 10n, { settledAtMs: HOUR_MS });
    await charge(accountId, 10n, { settledAtMs: 2 * HOUR_MS });
    await reverseTransaction(test.database, accountId, `settlement:${first}`, 'goodwill');
    expect(await list(accountId)).toEqual([]);
  });
});
