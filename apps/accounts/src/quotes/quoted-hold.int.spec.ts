import { newAccountId, newKeyId, newRequestId } from '@gateway/contracts';
import { chooseHold } from '@gateway/intake';
import { afterAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TestBilling } from '../../../billing/src/test-support/test-billing.js';

const UNLIMITED = { requestsPerMinute: 0, concurrency: 0 };
const test = await TestBilling.open();
const { admissionStore } = await test.resources();
await admissionStore.beginEpoch('1');
afterAll(() => test.close());

describe('a quoted hold', () => {
  it('is the amount that admission chooses', async () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
    await fc.assert(
      fc.asyncProperty(amount, amount, amount, amount, async (fixed, atLeast, more, canSpend) => {
        const leastNanoUsd = fixed + atLeast;
        const range = { fixedNanoUsd: fixed, mostNanoUsd: leastNanoUsd + more };
        const accountId = newAccountId();
        const reserve = { reserveNanoUsd: 0n, reserveVersion: 1n };
        await admissionStore.grant({ accountId, sequence: 1n, epoch: '1', amountNanoUsd: canSpend, ...reserve });
        const outcome = await admissionStore.admit({
          requestId: newRequestId(),
          accountId,
          keyId: newKeyId(),
          accountLimits: UNLIMITED,
          keyLimits: UNLIMITED,
          holdNanoUsd: leastNanoUsd,
          holdRange: range,
          holdMs: 60_000,
          about: { endpoint: 'chat', model: 'm', priceVersion: 'm@2026-01-01', admittedAtMs: 1 },
        });
        const holdNanoUsd = chooseHold({ leastNanoUsd, range }, canSpend);
        if (canSpend >= leastNanoUsd) expect(outcome).toMatchObject({ outcome: 'admitted', holdNanoUsd });
        else expect(outcome).toMatchObject({ outcome: 'funds', missingNanoUsd: leastNanoUsd - canSpend });
      }),
    );
  });
});
