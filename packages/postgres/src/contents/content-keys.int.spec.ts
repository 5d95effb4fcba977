import { newRequestId } from '@gateway/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestDatabase } from '../test-support/test-database.js';
import { secretSeal } from '../webhooks/secret-seal.js';
import { findContentKey, requireContentKey, resealContentKeys } from './content-keys.js';
import { openContent, sealContent } from './request-content.js';

const [first, second] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const CONTENT = {
  request: { contentType: 'application/json', bytes: Buffer.from('{}'), isTruncated: false },
  response: null,
  isResult: false,
  isComplete: true,
};

let test: TestDatabase;
beforeAll(async () => {
  test = await TestDatabase.open();
});
afterAll(() => test.close());

describe('the key of an account’s contents', () => {
  it('is made once, also by processes that make it at once', async () => {
    const accountId = await test.account();
    const seal = secretSeal([first]);
    expect(await findContentKey(test.database, accountId, seal)).toBeNull();
    const keys = await Promise.all([1, 2, 3].map(() => requireContentKey(test.database, accountId, seal)));
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
    expect(keys[0]).toHaveLength(32);
  });

  it('is another one for each account', async () => {
    const seal = secretSeal([first]);
    const keyOf = async () => requireContentKey(test.database, await test.account(), seal);
    expect(await keyOf()).not.toEqual(await keyOf());
  });

  it('outlives a rotation of the master key, with what it has sealed', async () => {
    const place = { accountId: await test.account(), requestId: newRequestId() };
    const key = await requireContentKey(test.database, place.accountId, secretSeal([first]));
    const sealed = sealContent(CONTENT, key, place);
    const { resealed, broken } = await resealContentKeys(test.database, secretSeal([second, first]));
    expect([resealed > 0, broken]).toEqual([true, 0]);
    expect(await resealContentKeys(test.database, secretSeal([second, first]))).toEqual({ resealed: 0, broken: 0 });
    const now = await findContentKey(test.database, place.accountId, secretSeal([second]));
    expect(now && openContent(sealed, now, place)).toEqual(CONTENT);
    await expect(findContentKey(test.database, place.accountId, secretSeal([first]))).rejects.toThrow(/not configured/);
    expect(await resealContentKeys(test.database, secretSeal([first]))).toMatchObject({ resealed: 0 });
  });
});
