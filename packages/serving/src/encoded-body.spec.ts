import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { chooseEncoding, EncodedBody } from './encoded-body.js';

describe('chooseEncoding', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=0, GZIP;q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['identity', 'identity'],
    ['deflate', 'identity'],
    ['br;q=nonsense', 'identity'],
  ])('of %j is %s', (header, encoding) => {
    expect(chooseEncoding(header)).toBe(encoding);
  });
});

describe('a body', () => {
  const text = '{"data":[]}'.repeat(1_000);

  it('is compressed once for each encoding', async () => {
    const body = new EncodedBody(Buffer.from(text));
    expect(brotliDecompressSync(await body.in('br')).toString()).toBe(text);
    expect(gunzipSync(await body.in('gzip')).toString()).toBe(text);
    expect((await body.in('identity')).toString()).toBe(text);
    expect(await body.in('br')).toBe(await body.in('br'));
    expect((await body.in('gzip')).length).toBeLessThan(text.length / 10);
  });
});
