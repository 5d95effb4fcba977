import { newAccountId, SHARD_COUNT, SHARDS, shardOf } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { redisKeys } from '../keys.js';
import { SHARD_TAGS } from './shard-tags.js';

const SLOTS = 16_384;

/** CRC-16 of the XMODEM variant, as a cluster computes the slot of a hash tag. */
function slotOf(tag: string): number {
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc % SLOTS;
}

describe('the shards', () => {
  it('have one slot in each 64th of a cluster', () => {
    expect(slotOf('123456789')).toBe(0x31c3);
    expect(SHARD_TAGS.map((tag) => Math.floor((slotOf(tag) * SHARD_COUNT) / SLOTS))).toEqual(SHARDS);
  });

  it('get equally many accounts', () => {
    const counts = SHARDS.map(() => 0);
    for (let account = 0; account < 64_000; account += 1) {
      const shard = shardOf(newAccountId());
      counts[shard] = (counts[shard] ?? 0) + 1;
    }
    // 1,000 each, give or take six standard deviations.
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(200);
  });

  it('never change: an account keeps its shard and its keys', () => {
    const accounts = ['acct_a', 'acct_mzxw6ytboi2dgnbvgy3tqojzha', 'acct_7777777777777777777777aaaa'];
    expect(accounts.map(shardOf)).toEqual([24, 61, 15]);
    expect(redisKeys().of('acct_a').usage).toBe('gw{24.78}:usage');
  });
});
