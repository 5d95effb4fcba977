import type { KeyId } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { limitsOf } from './limits-of.js';

const DEFAULTS = { requestsPerMinute: 600, concurrency: 50 };

describe('limitsOf', () => {
  it.each([
    ['the default without any setting', null, null, 600, 0],
    ['both if the key is lower', 5, null, 600, 5],
    ['only the account if the key is higher', 9_000, null, 600, 0],
    ['only the account if both are equal', 600, null, 600, 0],
    ['the account as an administrator lowered it', null, 40, 40, 0],
    ['the account as an administrator raised it', null, 9_000, 9_000, 0],
    ['a key below a raised account', 700, 9_000, 9_000, 700],
    ['only the key if the account is unlimited', 7, 0, 0, 7],
    ['nothing if the account is unlimited and the key has none', null, 0, 0, 0],
    ['the account even if an old key says 0', 0, null, 600, 0],
  ])('checks %s', (_words, key, account, expectedAccount, expectedKey) => {
    const limits = limitsOf(
      {
        keyLimits: { requestsPerMinute: key, concurrency: key },
        accountLimits: { requestsPerMinute: account, concurrency: account },
      },
      { ...DEFAULTS, concurrency: 600 },
    );
    expect(limits).toEqual({
      accountLimits: { requestsPerMinute: expectedAccount, concurrency: expectedAccount },
      keyLimits: { requestsPerMinute: expectedKey, concurrency: expectedKey },
    });
  });

  it.each([
    ['whole for a request whose client waits', false, 7],
    ['half for a request of a batch', true, 4],
  ])(
    'takes the limits of keys above, %s, without those that the account’s has reached',
    (_words, isOfBatch, expected) => {
      const parentLimits = [3, 7, 50].map((concurrency, index) => ({ keyId: `key_${index}` as KeyId, concurrency }));
      const none = { requestsPerMinute: null, concurrency: null };
      const limits = limitsOf({ keyLimits: none, accountLimits: none, parentLimits }, DEFAULTS, isOfBatch);
      expect(limits.parentLimits?.map(({ keyId }) => keyId)).toEqual(['key_0', 'key_1']);
      expect(limits.parentLimits?.[1]?.concurrency).toBe(expected);
    },
  );

  it('takes rate and concurrency from different places', () => {
    const limits = limitsOf(
      {
        keyLimits: { requestsPerMinute: 10, concurrency: null },
        accountLimits: { requestsPerMinute: null, concurrency: 200 },
      },
      DEFAULTS,
    );
    expect(limits).toEqual({
      accountLimits: { requestsPerMinute: 600, concurrency: 200 },
      keyLimits: { requestsPerMinute: 10, concurrency: 0 },
    });
  });
});
