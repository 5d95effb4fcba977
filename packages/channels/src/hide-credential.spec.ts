import { describe, expect, it } from '@jest/globals';
import { hideCredential } from './hide-credential.js';

const CREDENTIAL = 'sk-0123456789abcdef';
const hidden = (text: string, credential = CREDENTIAL) =>
  Buffer.from(hideCredential(Buffer.from(text), credential)).toString();

describe('the credential in the error of an upstream', () => {
  it('is hidden wherever it stands, and nothing else changes', () => {
    expect(hidden(`Schlüssel ${CREDENTIAL} 密钥 Bearer ${CREDENTIAL}.`)).toBe(
      'Schlüssel [credential] 密钥 Bearer [credential].',
    );
    expect(hidden('{"error":"sk-other"}')).toBe('{"error":"sk-other"}');
  });

  it('stays if it is too short to be a secret', () => {
    expect(hidden('the simulator refuses', 'simulator')).toBe('the simulator refuses');
  });
});
