import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestRedis } from '../test-support/test-redis.js';
import { RecentRefusals, type RefusedRequest } from './recent-refusals.js';

let test: TestRedis;
beforeAll(async () => {
  test = await TestRedis.open();
});
afterAll(() => test.close());

const refused = (number: number): RefusedRequest => ({
  requestId: `req_${number}`,
  atMs: number,
  keyId: 'key_a',
  isTest: false,
  method: 'POST',
  path: '/v1/chat/completions',
  status: 402,
  code: 'insufficient_balance',
  message: 'The balance is spent.',
  param: null,
});

it('keeps the latest refusals of each account for an hour', async () => {
  const refusals = new RecentRefusals(test.redis, test.keys);
  for (let number = 1; number <= 25; number += 1) await refusals.record('acct_a', refused(number));
  const found = await refusals.read('acct_a');
  expect(found.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index));
  expect(found[0]).toEqual(refused(25));
  expect(await test.redis.ttl(test.keys.refusals('acct_a'))).toBeGreaterThan(3_500);
  expect(await refusals.read('acct_b')).toEqual([]);
});
