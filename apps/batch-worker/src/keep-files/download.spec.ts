import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpPools } from '@gateway/http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { download } from './download.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-download-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A vendor that sends everyone elsewhere. */
function redirecting(location: string) {
  const asked: string[] = [];
  const send = async ({ url }: { readonly url: string }) => {
    asked.push(url);
    return { status: 302, headers: { location }, dump: async () => undefined };
  };
  const pools = { send } as unknown as HttpPools;
  const rules = { pools, limitBytes: 10, allowInsecure: false, signal: new AbortController().signal };
  return { asked, run: () => download('https://storage.example.com/a.mp4', join(folder, 'a'), rules) };
}

describe('a redirect of a vendor', () => {
  it.each([
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'https://[fd00::1]/',
    'https://localhost/',
    'https://0x7f000001/',
    'file:///etc/passwd',
  ])('to an address that is not public is not followed: %s', async (location) => {
    const { asked, run } = redirecting(location);
    await expect(run()).rejects.toMatchObject({ reason: 'address_refused' });
    expect(asked).toEqual(['https://storage.example.com/a.mp4']);
  });

  it('to http is asked by https', async () => {
    const { asked, run } = redirecting('http://other.example.com/a.mp4');
    await expect(run()).rejects.toMatchObject({ reason: 'too_many_redirects' });
    expect(new Set(asked.slice(1))).toEqual(new Set(['https://other.example.com/a.mp4']));
  });
});
