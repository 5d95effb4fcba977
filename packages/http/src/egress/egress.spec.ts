import { once } from 'node:events';
import { type AddressInfo, createServer, isIP, type LookupFunction, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpFailure, HttpPools, isHttpFailure } from '../index.js';
import {
  AMBIGUOUS_HOSTS,
  INVALID_URLS,
  PRIVATE_HOSTS,
  PRIVATE_RECORDS,
  PUBLIC_ADDRESSES,
} from '../test-support/private-spellings.js';
import { dnsLookup } from './dns-lookup.js';
import { isPublicAddress } from './is-public-address.js';
import { checkPublicUrl } from './public-url.js';

const STRICT = { allowInsecure: false };

/** A lookup that gives these addresses at once and records its calls. */
function fakeLookup(addressesOf: (hostname: string) => readonly string[]) {
  const lookups: string[] = [];
  const lookup: LookupFunction = (hostname, options, callback) => {
    lookups.push(hostname);
    const found = addressesOf(hostname).map((address) => ({ address, family: isIP(address) || 4 }));
    if (options.all === true) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family ?? 4);
  };
  return { lookup, lookups };
}

describe('checkPublicUrl', () => {
  it('is tested with more than two hundred spellings', () => {
    expect(PRIVATE_HOSTS.length + INVALID_URLS.length).toBeGreaterThan(200);
  });

  it.each([...PRIVATE_HOSTS, ...AMBIGUOUS_HOSTS])('rejects the host %j', (host) => {
    for (const url of [`https://${host}/hook`, `https://${host}:8443/`, `https://${host}`]) {
      expect(checkPublicUrl(url, STRICT)).toEqual({ problem: expect.stringMatching(/^must /) });
    }
  });

  it.each(INVALID_URLS)('rejects the URL %j', (url) => {
    expect(checkPublicUrl(url.replace('PORT', '443'), STRICT)).toEqual({ problem: expect.stringMatching(/^must /) });
  });

  it.each([
    ['https://example.com/hook', 'https://example.com/hook'],
    ['HTTPS://Example.COM/Hook?a=1&b=%20#part', 'https://example.com/Hook?a=1&b=%20'],
    ['https://example.com:443/', 'https://example.com/'],
    ['https://example.com:8443', 'https://example.com:8443/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
    ['https://example.com/a@b', 'https://example.com/a@b'],
  ])('normalises %s', (given, url) => {
    expect(checkPublicUrl(given, STRICT)).toEqual({ url });
  });

  it('limits the length of the encoded URL', () => {
    const longest = `https://example.com/${'a'.repeat(2_028)}`;
    expect(checkPublicUrl(longest, STRICT)).toEqual({ url: longest });
    expect(checkPublicUrl(`${longest}a`, STRICT)).toHaveProperty('problem');
    // Encoded, each letter has six characters.
    expect(checkPublicUrl(`https://example.com/${'ü'.repeat(2_000)}`, STRICT)).toHaveProperty('problem');
  });

  it('accepts local URLs in development, but only valid ones', () => {
    const lax = { allowInsecure: true };
    expect(checkPublicUrl('http://127.0.0.1:9999/hook', lax)).toEqual({ url: 'http://127.0.0.1:9999/hook' });
    expect(checkPublicUrl('http://localhost:9999', lax)).toEqual({ url: 'http://localhost:9999/' });
    for (const url of ['ftp://127.0.0.1/', 'http://a:b@127.0.0.1/', 'http://127.0.0.1\\x', 'hook', 'http://']) {
      expect(checkPublicUrl(url, lax)).toHaveProperty('problem');
    }
  });
});

describe('isPublicAddress', () => {
  it.each(PUBLIC_ADDRESSES)('accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(['', 'localhost', '127.1', '8.8.8.8 ', '2606:4700::1%eth0'])('rejects %j', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

describe('a connection to public addresses only', () => {
  const servers: Server[] = [];
  let port = 0;
  let connections = 0;

  const listen = async (host: string) => {
    const server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    server.listen(port, host);
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    servers.push(server);
  };

  beforeAll(async () => {
    // On IPv4 all of 127/8 and every address of this machine lead to 0.0.0.0.
    await listen('0.0.0.0');
    await listen('::1');
  });

  afterAll(() => {
    for (const server of servers) server.close();
  });

  async function failureOf(url: string, lookup: LookupFunction): Promise<HttpFailure> {
    const pools = new HttpPools({ allowedAddresses: 'public', lookup, connectTimeoutMs: 200 });
    const request = { method: 'POST', url, headers: {}, body: '{}' } as const;
    try {
      await pools.send(request, { headersTimeoutMs: 1_000, bodyTimeoutMs: 1_000 });
    } catch (error) {
      if (isHttpFailure(error)) return error;
      throw error;
    } finally {
      await pools.destroy();
    }
    throw new Error(`${url} was reached`);
  }

  const localLookup = fakeLookup(() => ['127.0.0.1', '::1']).lookup;

  it('reaches this machine without the restriction', async () => {
    const pools = new HttpPools({ lookup: localLookup });
    const request = { method: 'POST', url: `http://example.com:${port}/`, headers: {}, body: '{}' } as const;
    const response = await pools.send(request, { headersTimeoutMs: 5_000, bodyTimeoutMs: 5_000 });
    await response.dump();
    await pools.destroy();
    expect([response.status, connections]).toEqual([204, 1]);
    connections = 0;
  });

  const unreachable = [
    ...PRIVATE_HOSTS.flatMap((host) => [`https://${host}:PORT/`, `http://${host}:PORT/`]),
    ...INVALID_URLS,
  ];

  it('never reaches those spellings, even unchecked', async () => {
    for (const url of unreachable.map((text) => text.replace('PORT', String(port)))) {
      if (!URL.canParse(url) || !/^https?:/.test(new URL(url).protocol)) continue;
      expect([url, await failureOf(url, localLookup)]).toEqual([
        url,
        expect.objectContaining({ kind: 'connect', wasSent: false, code: 'ADDRESS_REFUSED' }),
      ]);
    }
    expect(connections).toBe(0);
  });

  it.each(Object.entries(PRIVATE_RECORDS))('never reaches the name %s', async (name, addresses) => {
    const { lookup } = fakeLookup(() => addresses);
    for (const scheme of ['https', 'http']) {
      const failure = await failureOf(`${scheme}://${name}:${port}/`, lookup);
      expect(failure).toMatchObject({ kind: 'connect', wasSent: false, code: 'ADDRESS_REFUSED' });
    }
    expect(connections).toBe(0);
  });

  it('never reaches a name without an address', async () => {
    const failure = await failureOf(`https://example.com:${port}/`, fakeLookup(() => []).lookup);
    expect(failure.code).toBe('ADDRESS_REFUSED');
  });

  it('uses one lookup, so a name that changes to this machine gains nothing', async () => {
    const results = [['8.8.8.8'], ['127.0.0.1']];
    const { lookup, lookups } = fakeLookup(() => results[lookups.length - 1] ?? ['127.0.0.1']);
    const first = await failureOf(`http://rebind.example:${port}/`, lookup);
    expect(first).toMatchObject({ kind: 'connect', wasSent: false });
    expect(first.code).not.toBe('ADDRESS_REFUSED');
    expect(lookups).toHaveLength(1);
    expect(await failureOf(`http://rebind.example:${port}/`, lookup)).toMatchObject({ code: 'ADDRESS_REFUSED' });
    expect(lookups).toHaveLength(2);
    expect(connections).toBe(0);
  });
});

describe('dnsLookup', () => {
  const lookUp = (resolver: Parameters<typeof dnsLookup>[0]) =>
    new Promise((resolve, reject) => {
      dnsLookup(resolver)('a.example', { all: true }, (error, found) =>
        error === null ? resolve(found) : reject(error),
      );
    });
  const none = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENODATA' }));

  it('gives the addresses of both families, or of one', async () => {
    const resolve4 = async () => ['1.1.1.1'];
    const resolve6 = async () => ['2606:4700::1'];
    expect(await lookUp({ resolve4, resolve6 })).toEqual([
      { address: '2606:4700::1', family: 6 },
      { address: '1.1.1.1', family: 4 },
    ]);
    expect(await lookUp({ resolve4, resolve6: none })).toEqual([{ address: '1.1.1.1', family: 4 }]);
    expect(await lookUp({ resolve4: none, resolve6 })).toEqual([{ address: '2606:4700::1', family: 6 }]);
  });

  it('rejects for an unknown name', async () => {
    await expect(lookUp({ resolve4: none, resolve6: none })).rejects.toMatchObject({ code: 'ENODATA' });
  });
});
