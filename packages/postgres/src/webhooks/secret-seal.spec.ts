import { describe, expect, it } from '@jest/globals';
import { isSealBroken, secretSeal } from './secret-seal.js';

const key = (fill: number) => Buffer.alloc(32, fill);

describe('a sealed secret', () => {
  it('opens with the key that sealed it, also after a rotation', () => {
    const sealed = secretSeal([key(1)]).seal('whsec_a', 'acct_a');
    expect(sealed).not.toContain('whsec_a');
    expect(secretSeal([key(2), key(1)]).open(sealed, 'acct_a')).toBe('whsec_a');
  });

  it('does not open for another account, with another key, or after a change', () => {
    const seal = secretSeal([key(1)]);
    const sealed = seal.seal('whsec_a', 'acct_a');
    const isBroken = (open: () => string) => {
      try {
        return open();
      } catch (error) {
        return isSealBroken(error);
      }
    };
    expect(isBroken(() => seal.open(sealed, 'acct_b'))).toBe(true);
    expect(isBroken(() => secretSeal([key(2)]).open(sealed, 'acct_a'))).toBe(true);
    expect(isBroken(() => seal.open(`${sealed.slice(0, -4)}AAA=`, 'acct_a'))).toBe(true);
    expect(isBroken(() => seal.open('gcm.', 'acct_a'))).toBe(true);
  });

  it('differs each time', () => {
    const seal = secretSeal([key(1)]);
    expect(seal.seal('whsec_a', 'acct_a')).not.toBe(seal.seal('whsec_a', 'acct_a'));
  });

  it('that was stored without a key stays readable', () => {
    const stored = secretSeal([]).seal('whsec_a', 'acct_a');
    expect(secretSeal([key(1)]).open(stored, 'acct_a')).toBe('whsec_a');
  });
});
