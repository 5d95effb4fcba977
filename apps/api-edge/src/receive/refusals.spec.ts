import { newKeyId } from '@gateway/contracts';
import { describe, expect, it } from '@jest/globals';
import { Refusals } from './refusals.js';

const MIB = 1024 * 1024;
const [key, other] = [newKeyId(), newKeyId()];
const [home, office] = ['192.0.2.1', '192.0.2.2'];
const exceeded = expect.objectContaining({ code: 'rate_limit_exceeded' });

let nowMs = 0;
const open = () => new Refusals(10, () => nowMs);

describe('refused requests', () => {
  it('do not slow a client that has one now and then', () => {
    const refusals = open();
    for (let count = 0; count < 10_000; count += 1) {
      refusals.check(key, home);
      refusals.count('invalid_request', key, home, 1_000);
      nowMs += 110;
    }
    refusals.check(key, home);
  });

  it('beyond the burst refuse the key, with the time to wait, until it is refilled', () => {
    const refusals = open();
    for (let count = 0; count < 300; count += 1) refusals.count('insufficient_balance', key, home, 0);
    expect(() => refusals.check(key, office)).toThrow(expect.objectContaining({ details: { retryAfterMs: 100 } }));
    refusals.check(other, home);
    nowMs += 1_000;
    refusals.check(key, office);
  });

  it('of many keys refuse their address, and an IPv6 address counts by its /64', () => {
    const refusals = open();
    for (let count = 0; count < 1_200; count += 1) {
      refusals.count('request_too_large', newKeyId(), `2001:db8::${(count % 99) + 1}`, 0);
    }
    expect(() => refusals.check(key, '2001:db8::ffff')).toThrow(exceeded);
    refusals.check(key, '2001:db8:0:1::1');
  });

  it('cost by their bytes too', () => {
    const refusals = open();
    refusals.count('insufficient_balance', key, home, 32 * MIB);
    expect(() => refusals.check(key, home)).toThrow(exceeded);
    refusals.count('invalid_request', other, office, MIB);
    refusals.check(other, office);
  });

  it('of other kinds are not counted: they are no fault of the client', () => {
    const refusals = open();
    for (let count = 0; count < 1_000; count += 1) refusals.count('service_unavailable', key, home, MIB);
    refusals.check(key, home);
  });
});
