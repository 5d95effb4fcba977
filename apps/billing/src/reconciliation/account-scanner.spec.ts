import { describe, expect, it } from '@jest/globals';
import { AccountScanner, type AccountSource } from './account-scanner.js';

/** A source with pages of two accounts. */
const source =
  (accountIds: readonly string[]): AccountSource =>
  async (cursor) => {
    const start = Number(cursor ?? 0);
    const end = start + 2;
    return { accountIds: accountIds.slice(start, end), next: end < accountIds.length ? `${end}` : null };
  };

const batches = async (scanner: AccountScanner, count: number): Promise<string[]> => {
  const read: string[] = [];
  for (let batch = 0; batch < count; batch += 1) read.push([...(await scanner.next())].join(''));
  return read;
};

describe('AccountScanner', () => {
  it('returns all accounts in each batch when there are few', async () => {
    const scanner = new AccountScanner([source(['a', 'b', 'c']), source(['c', 'd'])], 10);
    expect(await batches(scanner, 2)).toEqual(['abcd', 'abcd']);
  });

  it('continues at its cursor and starts again when there are many', async () => {
    const scanner = new AccountScanner([source(['a', 'b', 'c', 'd', 'e']), source(['e', 'f', 'g'])], 3);
    expect(await batches(scanner, 4)).toEqual(['abcd', 'efg', 'abcd', 'efg']);
  });

  it('returns an empty batch when there are no accounts', async () => {
    expect(await batches(new AccountScanner([source([]), source([])], 3), 2)).toEqual(['', '']);
  });
});
