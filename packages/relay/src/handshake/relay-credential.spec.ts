import { describe, expect, it } from '@jest/globals';
import { assertRelaySecret, signRelayCredential, verifyRelayCredential } from './relay-credential.js';

const SECRET = 's'.repeat(32);
const NOW_MS = 1_800_000_000_000;

describe('relay credential', () => {
  const credential = signRelayCredential(SECRET, 'worker.a-1', NOW_MS);

  it('names the worker that signed it', () => {
    expect(verifyRelayCredential(SECRET, credential, NOW_MS)).toBe('worker.a-1');
  });

  it.each([-60_000, 60_000])('is accepted with clocks %i ms apart', (differenceMs) => {
    expect(verifyRelayCredential(SECRET, credential, NOW_MS + differenceMs)).toBe('worker.a-1');
  });

  it.each([-62_000, 62_000])('is rejected with clocks %i ms apart', (differenceMs) => {
    expect(verifyRelayCredential(SECRET, credential, NOW_MS + differenceMs)).toBeNull();
  });

  it.each([
    ['no header', undefined],
    ['another secret', signRelayCredential('x'.repeat(32), 'worker.a-1', NOW_MS)],
    ['another worker', credential.replace('worker.a-1', 'worker.b-1')],
    ['another time', credential.replace('.1800000000.', '.1800000001.')],
    ['another scheme', credential.replace('Relay', 'Bearer')],
    ['a short signature', credential.slice(0, -2)],
  ])('is rejected with %s', (_what, header) => {
    expect(verifyRelayCredential(SECRET, header, NOW_MS)).toBeNull();
  });

  it('requires a secret of 32 characters', () => {
    expect(() => assertRelaySecret('s'.repeat(31))).toThrow(RangeError);
  });
});
