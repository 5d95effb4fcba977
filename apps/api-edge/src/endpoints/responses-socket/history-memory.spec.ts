import { describe, expect, it } from '@jest/globals';
import { HistoryMemory } from './history-memory.js';

const MEBIBYTE = 1024 * 1024;

describe('the memory for histories of sockets', () => {
  it('is 16 MiB for an account: one more socket forgets, and the others keep theirs', () => {
    const memory = new HistoryMemory();
    expect(memory.exchange('a', 0, 8 * MEBIBYTE)).toBe(true);
    expect(memory.exchange('a', 0, 8 * MEBIBYTE)).toBe(true);
    expect(memory.exchange('a', 0, 1)).toBe(false);
    expect(memory.exchange('a', 8 * MEBIBYTE, 4 * MEBIBYTE)).toBe(true);
    expect(memory.exchange('a', 0, 4 * MEBIBYTE)).toBe(true);
  });

  it('is 64 MiB for the process, and what does not fit is given back', () => {
    const memory = new HistoryMemory();
    for (const account of ['a', 'b', 'c', 'd']) expect(memory.exchange(account, 0, 16 * MEBIBYTE)).toBe(true);
    expect(memory.exchange('e', 0, 1)).toBe(false);
    expect(memory.usedBytes).toBe(memory.limitBytes);
    expect(memory.exchange('a', 16 * MEBIBYTE, 17 * MEBIBYTE)).toBe(false);
    expect(memory.exchange('e', 0, 16 * MEBIBYTE)).toBe(true);
  });
});
