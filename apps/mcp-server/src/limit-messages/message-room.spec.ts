import { describe, expect, it } from '@jest/globals';
import { MessageRoom } from './message-room.js';

const MEBIBYTE = 1024 * 1024;

describe('the room for messages', () => {
  it('is taken by long messages, as they grow, and free at their end', () => {
    const room = new MessageRoom(100 * MEBIBYTE);
    const message = room.open('acct_a');
    message.grow(60 * 1024);
    expect([room.usedBytes, room.senderCount]).toEqual([0, 0]);
    message.grow(MEBIBYTE);
    message.grow(MEBIBYTE);
    expect([room.usedBytes, room.senderCount]).toEqual([2 * MEBIBYTE + 60 * 1024, 1]);
    message.close();
    message.close();
    message.grow(MEBIBYTE);
    expect([room.usedBytes, room.senderCount]).toEqual([0, 0]);
  });

  it('has a share for each account, and a refusal takes nothing', () => {
    const room = new MessageRoom(100 * MEBIBYTE, 10 * MEBIBYTE);
    const [first, second, other] = [room.open('acct_a'), room.open('acct_a'), room.open('acct_b')];
    first.grow(6 * MEBIBYTE);
    expect(() => second.grow(6 * MEBIBYTE)).toThrow(expect.objectContaining({ code: 'rate_limit_exceeded' }));
    other.grow(6 * MEBIBYTE);
    expect(room.usedBytes).toBe(12 * MEBIBYTE);
    second.close();
    first.close();
    expect(room.usedBytes).toBe(6 * MEBIBYTE);
  });

  it('is closed to long messages of an account that may not spend', () => {
    const room = new MessageRoom(10 * MEBIBYTE);
    const message = room.open('acct_a', false);
    message.grow(256 * 1024);
    expect(() => message.grow(1)).toThrow(expect.objectContaining({ code: 'insufficient_balance' }));
    message.close();
    expect(room.usedBytes).toBe(0);
    room.open('acct_b').grow(MEBIBYTE);
  });

  it('ends for all accounts together', () => {
    const room = new MessageRoom(10 * MEBIBYTE);
    room.open('acct_a').grow(6 * MEBIBYTE);
    expect(() => room.open('acct_b').grow(6 * MEBIBYTE)).toThrow(
      expect.objectContaining({ code: 'service_unavailable' }),
    );
  });
});
