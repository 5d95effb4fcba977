import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FileAddresses } from './file-addresses.js';

const ORIGIN = 'https://gateway.example';
const OLD = 'o'.repeat(32);
const NEW = 'n'.repeat(32);
const signing = (...secrets: string[]) => new FileAddresses(secrets as [string, ...string[]]);

const queryOf = (url: string) => Object.fromEntries(new URL(url).searchParams);

beforeEach(() => {
  jest.useFakeTimers({ now: 1_800_000_000_000 });
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a signed address', () => {
  it('names the file, its end and the signing key, and verifies', () => {
    const link = signing(NEW).sign(ORIGIN, 'file-a', 3_600);
    expect(link).toMatchObject({ object: 'file.link', expires_at: 1_800_003_600 });
    expect(link.url).toMatch(
      /^https:\/\/gateway\.example\/v1\/files\/file-a\/content\?expires=1800003600&signing_key=[0-9a-f]{8}&signature=[\w-]{43}$/,
    );
    expect(() => signing(NEW).verify('file-a', queryOf(link.url))).not.toThrow();
  });

  it('ends at its time', () => {
    const { url } = signing(NEW).sign(ORIGIN, 'file-a', 60);
    jest.advanceTimersByTime(60_000);
    expect(() => signing(NEW).verify('file-a', queryOf(url))).toThrow("'expires'");
  });

  it('opens no other file, and no other time', () => {
    const query = queryOf(signing(NEW).sign(ORIGIN, 'file-a', 60).url);
    expect(() => signing(NEW).verify('file-b', query)).toThrow("'signature'");
    expect(() => signing(NEW).verify('file-a', { ...query, expires: '1900000000' })).toThrow("'signature'");
  });

  it.each([
    ['no key', { signing_key: undefined }],
    ['an unknown key', { signing_key: '00000000' }],
    ['repeated values', { signature: ['a', 'b'] }],
    ['a short signature', { signature: 'AAAA' }],
    ['an empty signature', { signature: '' }],
    ['no end', { expires: undefined }],
  ])('is refused with %s', (_case, change) => {
    const query = queryOf(signing(NEW).sign(ORIGIN, 'file-a', 60).url);
    expect(() => signing(NEW).verify('file-a', { ...query, ...change })).toThrow("'signature'");
  });

  it('outlives a rotation of the secret', () => {
    const before = queryOf(signing(OLD).sign(ORIGIN, 'file-a', 60).url);
    expect(() => signing(NEW, OLD).verify('file-a', before)).not.toThrow();
    expect(() => signing(NEW).verify('file-a', before)).toThrow("'signature'");
    const after = queryOf(signing(NEW, OLD).sign(ORIGIN, 'file-a', 60).url);
    expect(after.signing_key).not.toBe(before.signing_key);
  });
});
