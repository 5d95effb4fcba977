import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { changeAccount } from '../accounts/change-account.js';
import { listAccounts } from '../accounts/list-accounts.js';
import { countAttempt } from '../attempts/count-attempt.js';
import { returnKeySpending } from '../test-support/return-key-spending.js';
import { TestDatabase } from '../test-support/test-database.js';
import { changeKey, revokeKey } from './change-key.js';
import { findKey, listKeyHashes, listKeys } from './find-key.js';
import { findKeyBySha256 } from './find-key-by-sha256.js';
import { rotateKey } from './rotate-key.js';

let test: TestDatabase;

beforeAll(async () => {
  test = await TestDatabase.open();
});

afterAll(() => test.close());

describe('a key', () => {
  it('is found by its hash with the limits of its account', async () => {
    const accountId = await test.account();
    const { sha256, id } = await test.key(accountId);
    expect(await findKeyBySha256(test.database, sha256)).toEqual({
      keyId: id,
      accountId,
      keySha256: sha256,
      isTest: false,
      isRevoked: false,
      isAccountSuspended: false,
      spendCap: null,
      expiresAtMs: null,
      models: null,
      endpoints: null,
      keyLimits: { requestsPerMinute: null, concurrency: null },
      accountLimits: { requestsPerMinute: null, concurrency: null },
      allowedIps: null,
      scopes: [],
    });
    await changeKey(test.database, { accountId }, id, {
      models: ['m'],
      allowedIps: ['::1'],
      concurrency: 3,
      expiresAt: new Date(5_000),
    });
    await changeAccount(test.database, accountId, { requestsPerMinute: 7, suspendedAt: new Date() });
    expect(await findKeyBySha256(test.database, sha256)).toMatchObject({
      models: ['m'],
      allowedIps: ['::1'],
      expiresAtMs: 5_000,
      keyLimits: { requestsPerMinute: null, concurrency: 3 },
      accountLimits: { requestsPerMinute: 7, concurrency: null },
      isAccountSuspended: true,
    });
    expect(await findKeyBySha256(test.database, 'sha-none')).toBeNull();
  });

  it('belongs to its account', async () => {
    const [owner, stranger] = [await test.account(), await test.account()];
    const { id } = await test.key(owner);
    expect(await changeKey(test.database, { accountId: stranger }, id, { name: 'mine' })).toBeNull();
    expect(await revokeKey(test.database, { accountId: stranger }, id, new Date())).toBeNull();
    expect(await findKey(test.database, { accountId: stranger }, id)).toBeNull();
    expect(await listKeys(test.database, { accountId: stranger })).toEqual([]);
    expect(await findKey(test.database, { accountId: owner }, id)).toMatchObject({ name: 'a key', revokedAt: null });
  });

  it('is not listed once it is revoked, but its hash is', async () => {
    const accountId = await test.account();
    const { id, sha256 } = await test.key(accountId);
    expect(await revokeKey(test.database, { accountId }, id, new Date())).toMatchObject({ id });
    expect(await revokeKey(test.database, { accountId }, id, new Date())).toBeNull();
    expect(await listKeys(test.database, { accountId })).toEqual([]);
    expect(await findKeyBySha256(test.database, sha256)).toMatchObject({ isRevoked: true });
    expect(await listKeyHashes(test.database, { accountId })).toEqual([sha256]);
  });

  it('stays valid for its grace period after a rotation, at most until its own expiry', async () => {
    const accountId = await test.account();
    const key = await test.key(accountId, 9n);
    const next = (id: string) => ({ id, accountId, sha256: `sha-${id}`, prefix: 'p', isTest: false });
    const later = new Date(9_000_000_000_000);
    const rotated = await rotateKey(test.database, key.id, next('key_n1'), later);
    expect(rotated).toMatchObject({
      created: { id: 'key_n1', name: 'a key', spendCapNanoUsd: 9n, expiresAt: null },
      old: { id: key.id, expiresAt: later },
    });
    const sooner = await rotateKey(test.database, key.id, next('key_n2'), new Date(8_000_000_000_000));
    expect(sooner?.old.expiresAt).toEqual(new Date(8_000_000_000_000));
    const again = await rotateKey(test.database, key.id, next('key_n3'), later);
    expect(again?.old.expiresAt).toEqual(new Date(8_000_000_000_000));
    expect(await rotateKey(test.database, 'key_none', next('key_n4'), later)).toBeNull();
  });

  it('passes its own expiry to its replacement, not the end of its grace period', async () => {
    const accountId = await test.account();
    const { id, sha256 } = await test.key(accountId);
    const ownExpiry = new Date(9_000_000_000_000);
    await changeKey(test.database, { accountId }, id, { expiresAt: ownExpiry });
    const next = (nextId: string) => ({ id: nextId, accountId, sha256: `sha-${nextId}`, prefix: 'p', isTest: false });
    const graceEnd = new Date(5_000);
    const rotated = await rotateKey(test.database, id, next('key_e1'), graceEnd);
    expect(rotated).toMatchObject({ created: { expiresAt: ownExpiry }, old: { expiresAt: graceEnd } });
    expect(await findKeyBySha256(test.database, sha256)).toMatchObject({ expiresAtMs: 5_000 });
    const again = await rotateKey(test.database, id, next('key_e2'), new Date(6_000));
    expect(again).toMatchObject({ created: { expiresAt: ownExpiry }, old: { expiresAt: graceEnd } });
    expect(await changeKey(test.database, { accountId }, id, { expiresAt: null })).toMatchObject({
      expiresAt: graceEnd,
    });
  });

  it('shares one amount spent with its replacements', async () => {
    const accountId = await test.account();
    const first = await test.key(accountId, 9n);
    const next = (id: string) => ({ id, accountId, sha256: `sha-${id}`, prefix: 'p', isTest: false });
    await rotateKey(test.database, first.id, next('key_s2'), new Date());
    await rotateKey(test.database, 'key_s2', next('key_s3'), new Date());
    const cap = { capNanoUsd: '9', spendingKeyId: first.id };
    for (const sha256 of [first.sha256, 'sha-key_s2', 'sha-key_s3']) {
      expect(await findKeyBySha256(test.database, sha256)).toMatchObject({
        spendCap: { ...cap, spentNanoUsd: '0', version: '0' },
      });
    }
    expect(await returnKeySpending(test.database, 'key_s3', -5n)).toMatchObject({ spentNanoUsd: '5', version: '1' });
    expect(await returnKeySpending(test.database, first.id, 2n)).toEqual({
      spendingKeyId: first.id,
      spentNanoUsd: '3',
      version: '2',
    });
    expect(await returnKeySpending(test.database, 'key_none', 2n)).toBeNull();
    expect((await listKeys(test.database, { accountId })).map(({ spentNanoUsd }) => spentNanoUsd)).toEqual([
      3n,
      3n,
      3n,
    ]);
    expect(await changeKey(test.database, { accountId }, 'key_s3', { name: 'n' })).toMatchObject({ spentNanoUsd: 3n });
    expect(await revokeKey(test.database, { accountId }, 'key_s2', new Date())).toMatchObject({ spentNanoUsd: 3n });
    expect(await findKey(test.database, { accountId }, 'key_s3')).toMatchObject({ spentNanoUsd: 3n });
  });
});

describe('an account', () => {
  it('is listed in pages with its balances', async () => {
    await test.account(5n);
    const all = await listAccounts(test.database, { afterId: null, limit: 200 });
    const first = await listAccounts(test.database, { afterId: null, limit: 2 });
    const rest = await listAccounts(test.database, { afterId: first[1]?.id ?? null, limit: 200 });
    expect([...first, ...rest]).toEqual(all);
    expect(all.filter(({ customerNanoUsd }) => customerNanoUsd === 5n)).toHaveLength(1);
  });
});

describe('attempts', () => {
  it('are counted over all processes until their window ends', async () => {
    const counts = await Promise.all(Array.from({ length: 20 }, () => countAttempt(test.database, 's', 60_000)));
    expect(counts.map(({ attempts }) => attempts).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    // A second ago: the end of a window has milliseconds, so one of 0 may end after the next statement.
    await countAttempt(test.database, 'over', -1_000);
    expect(await countAttempt(test.database, 'over', 60_000)).toMatchObject({ attempts: 1 });
  });
});
