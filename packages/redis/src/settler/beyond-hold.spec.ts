import { describe, expect, it } from '@jest/globals';
import { beyondHold } from './beyond-hold.js';

const settled = (costNanoUsd: string, holdNanoUsd: string) => ({ costNanoUsd, holdNanoUsd });
const after = (balanceNanoUsd: bigint, applied = true) => ({ applied, balanceNanoUsd });

describe('beyondHold', () => {
  it.each([
    ['a cost within its hold', settled('90', '100'), after(-50n), 0n],
    ['a cost that the balance still pays for', settled('150', '100'), after(0n), 0n],
    ['the part that the balance does not pay for', settled('150', '100'), after(-30n), 30n],
    ['its excess only, if the balance was below zero before', settled('150', '100'), after(-500n), 50n],
    ['a repeated settlement', settled('150', '100'), after(-30n, false), 0n],
  ])('counts %s', (_what, event, settlement, debt) => expect(beyondHold(event, settlement)).toBe(debt));
});
