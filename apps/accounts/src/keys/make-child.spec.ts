import { nanoUsd } from '@gateway/money';
import type { ApiKeyRecord, createChildKey as Create, revokeKey as Revoke } from '@gateway/postgres';
import { expect, it, jest } from '@jest/globals';

const createChildKey = jest.fn<typeof Create>();
const revokeKey = jest.fn<typeof Revoke>(async () => null);
jest.unstable_mockModule('@gateway/postgres', () => ({
  createChildKey,
  revokeKey,
  closeChildKey: async () => null,
  countKeys: async () => 0,
  findKey: async () => null,
}));
const { MakeChild } = await import('./make-child.service.js');

const PARENT = {
  ...{ id: 'key_1', accountId: 'acct_1', sha256: 'a'.repeat(64), isTest: false },
  ...{ models: [], endpoints: [], allowedIps: [], requestsPerMinute: null, concurrency: null },
} as unknown as ApiKeyRecord;

const GIVEN = { name: 'agent', budget_usd: nanoUsd(5n), minutes: 60, can_make_children: false };

it('ends a child at once if admission cannot reserve its budget, because the caller gets no key', async () => {
  const away = new Error('Redis is away');
  createChildKey.mockResolvedValue({ outcome: 'created', parent: {} as never, capNanoUsd: 9n });
  const maker = new MakeChild(
    {} as never,
    { reserveSpending: () => Promise.reject(away), setSpending: async () => true } as never,
    { invalidate: async () => undefined } as never,
  );
  await expect(maker.make(PARENT, GIVEN, true)).rejects.toBe(away);
  const childId = createChildKey.mock.calls[0]?.[2].id;
  expect(revokeKey.mock.calls).toEqual([[{}, { accountId: 'acct_1' }, childId, expect.any(Date)]]);
});
