import { describe, expect, it } from '@jest/globals';
import { isBatchCredential, signBatchGrant, verifyBatchGrant } from './batch-credential.js';

const SECRET = 's'.repeat(32);
const grant = {
  batchId: 'batch_1',
  keySha256: 'a'.repeat(64),
  budgetNanoUsd: '5',
  spentNanoUsd: '1',
  budgetEndsAtMs: 9_000,
  expiresAtMs: 2_000,
};
const header = signBatchGrant(SECRET, grant);

describe('the credential of a batch', () => {
  it('is accepted before its time is over, also by a secret that is being replaced', () => {
    expect(isBatchCredential(header)).toBe(true);
    expect(verifyBatchGrant([SECRET], header, 1_999)).toEqual(grant);
    expect(verifyBatchGrant(['n'.repeat(32), SECRET], header, 1_999)).toEqual(grant);
    expect(verifyBatchGrant([SECRET], header, 2_000)).toBeNull();
  });

  it('is refused if anything of it was changed', () => {
    const other = signBatchGrant(SECRET, { ...grant, keySha256: 'b'.repeat(64) });
    const mixed = `${other.split('.')[0]}.${header.split('.')[1]}`;
    const shortened = header.slice(0, -1);
    for (const forged of [mixed, shortened, 'Batch x.y', signBatchGrant('o'.repeat(32), grant)]) {
      expect(verifyBatchGrant([SECRET], forged, 0)).toBeNull();
    }
  });
});
