import { describe, expect, it } from '@jest/globals';
import { AccountScanner, type AccountSource } from './account-scanner.js';

/** Accounts that are given two at a time. */
const source =
  (accountIds: readonly string[]): AccountSource =>
  async (from) => {
    const start = Number(from ?? 0);
    const end = start + 2;
    return { accountIds: accountIds.slice(start, end), next: end < accountIds.length ? `${end}` : null };
  };

const times = async (walk: AccountScanner, count: number): Promise<string[]> => {
  const given: string[] = [];
  for (let time = 0; time < count; time += 1) given.push([...(await walk.next())].join(''));
  return given;
};

describe('a walk through accounts', () => {
  it('gives all that there are each time, where there are few', async () => {
    const walk = new AccountScanner([source(['a', 'b', 'c']), source(['c', 'd'])], 10);
    expect(await times(walk, 2)).toEqual(['abcd', 'abcd']);
  });

  it('gives some each time where there are many, goes on where it was, and comes round', async () => {
    const walk = new AccountScanner([source(['a', 'b', 'c', 'd', 'e']), source(['e', 'f', 'g'])], 3);
    expect(await times(walk, 4)).toEqual(['abcd', 'efg', 'abcd', 'efg']);
  });

  it('ends also where there is nobody', async () => {
    expect(await times(new AccountScanner([source([]), source([])], 3), 2)).toEqual(['', '']);
  });
});
