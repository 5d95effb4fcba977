import { once } from 'node:events';
import { type AddressInfo, createServer, isIP, type LookupFunction, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpFailure, HttpPools, isHttpFailure } from '../index.js';
import {
  AMBIGUOUS_HOSTS,
  CROOKED_URLS,
  PRIVATE_HOSTS,
  PRIVATE_RECORDS,
  PUBLIC_ADDRESSES,
} from '../test-support/private-spellings.js';
import { dnsLookup } from './dns-lookup.js';
import { isPublicAddress } from './is-public-address.js';
import { checkPublicUrl } from './public-url.js';

const STRICT = { allowInsecure: false };

/** Answers at once with these addresses, as a name server would, and counts. */
function fakeLookup(addressesOf: (hostname: string) => readonly string[]) {
  const asked: string[] = [];
  const lookup: LookupFunction = (hostname, options, callback) => {
    asked.push(hostname);
    const found = addressesOf(hostname).map((address) => ({ address, family: isIP(address) || 4 }));
    if (options.all === true) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family ?? 4);
  };
  return { lookup, asked };
}

describe('the spelling of an address', () => {
  it('is held against at least two hundred ways to write what must not be reached', () => {
    expect(PRIVATE_HOSTS.length + CROOKED_URLS.length).toBeGreaterThan(200);
  });

  it.each([...PRIVATE_HOSTS, ...AMBIGUOUS_HOSTS])('is refused: %j', (host) => {
    for (const url of [`https://${host}/hook`, `https://${host}:8443/`, `https://${host}`]) {
      expect(checkPublicUrl(url, STRICT)).toEqual({ problem: expect.stringMatching(/^must /) });
    }
  });

  it.each(CROOKED_URLS)('is refused: %j', (url) => {
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
  ])('is normalised: %s', (given, url) => {
    expect(checkPublicUrl(given, STRICT)).toEqual({ url });
  });

  it('is not too long', () => {
    const longest = `https://example.com/${'a'.repeat(2_028)}`;
    expect(checkPublicUrl(longest, STRICT)).toEqual({ url: longest });
    expect(checkPublicUrl(`${longest}a`, STRICT)).toHaveProperty('problem');
    // As it is kept and sent, every letter of it has six characters.
    expect(checkPublicUrl(`https://example.com/${'ü'.repeat(2_000)}`, STRICT)).toHaveProperty('problem');
  });

  it('may be one of this machine where development allows it, but is still an address', () => {
    const lax = { allowInsecure: true };
    expect(checkPublicUrl('http://127.0.0.1:9999/hook', lax)).toEqual({ url: 'http://127.0.0.1:9999/hook' });
    expect(checkPublicUrl('http://localhost:9999', lax)).toEqual({ url: 'http://localhost:9999/' });
    for (const url of ['ftp://127.0.0.1/', 'http://a:b@127.0.0.1/', 'http://127.0.0.1\\x', 'hook', 'http://']) {
      expect(checkPublicUrl(url, lax)).toHaveProperty('problem');
    }
  });
});

describe('an address', () => {
  it.each(PUBLIC_ADDRESSES)('is public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(['', 'localhost', '127.1', '8.8.8.8 ', '2606:4700::1%eth0'])('is none: %j', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

describe('a connection', () => {
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

  const ofThisMachine = fakeLookup(() => ['127.0.0.1', '::1']).lookup;

  it('would be made by a way out that reaches anywhere', async () => {
    const pools = new HttpPools({ lookup: ofThisMachine });
    const request = { method: 'POST', url: `http://example.com:${port}/`, headers: {}, body: '{}' } as const;
    const answer = await pools.send(request, { headersTimeoutMs: 5_000, bodyTimeoutMs: 5_000 });
    await answer.dump();
    await pools.destroy();
    expect([answer.status, connections]).toEqual([204, 1]);
    connections = 0;
  });

  const unreachable = [
    ...PRIVATE_HOSTS.flatMap((host) => [`https://${host}:PORT/`, `http://${host}:PORT/`]),
    ...CROOKED_URLS,
  ];

  it('is made to none of those spellings, also if nobody had looked at them before', async () => {
    for (const url of unreachable.map((text) => text.replace('PORT', String(port)))) {
      if (!URL.canParse(url) || !/^https?:/.test(new URL(url).protocol)) continue;
      expect([url, await failureOf(url, ofThisMachine)]).toEqual([
        url,
        expect.objectContaining({ kind: 'connect', wasSent: false, code: 'ADDRESS_REFUSED' }),
      ]);
    }
    expect(connections).toBe(0);
  });

  it.each(Object.entries(PRIVATE_RECORDS))('is not made to the name %s', async (name, addresses) => {
    const { lookup } = fakeLookup(() => addresses);
    for (const scheme of ['https', 'http']) {
      const failure = await failureOf(`${scheme}://${name}:${port}/`, lookup);
      expect(failure).toMatchObject({ kind: 'connect', wasSent: false, code: 'ADDRESS_REFUSED' });
    }
    expect(connections).toBe(0);
  });

  it('is not made to a name that has no address', async () => {
    const failure = await failureOf(`https://example.com:${port}/`, fakeLookup(() => []).lookup);
    expect(failure.code).toBe('ADDRESS_REFUSED');
  });

  it('goes to what was looked at: a name that changes to this machine a moment later is asked only once', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']];
    const { lookup, asked } = fakeLookup(() => answers[asked.length - 1] ?? ['127.0.0.1']);
    const first = await failureOf(`http://rebind.example:${port}/`, lookup);
    expect(first).toMatchObject({ kind: 'connect', wasSent: false });
    expect(first.code).not.toBe('ADDRESS_REFUSED');
    expect(asked).toHaveLength(1);
    expect(await failureOf(`http://rebind.example:${port}/`, lookup)).toMatchObject({ code: 'ADDRESS_REFUSED' });
    expect(asked).toHaveLength(2);
    expect(connections).toBe(0);
  });
});

describe('a name', () => {
  const ask = (resolver: Parameters<typeof dnsLookup>[0]) =>
    new Promise((resolve, reject) => {
      dnsLookup(resolver)('a.example', { all: true }, (error, found) =>
        error === null ? resolve(found) : reject(error),
      );
    });
  const none = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENODATA' }));

  it('has the addresses of both kinds, or of the one it has', async () => {
    const resolve4 = async () => ['1.1.1.1'];
    const resolve6 = async () => ['2606:4700::1'];
    expect(await ask({ resolve4, resolve6 })).toEqual([
      { address: '2606:4700::1', family: 6 },
      { address: '1.1.1.1', family: 4 },
    ]);
    expect(await ask({ resolve4, resolve6: none })).toEqual([{ address: '1.1.1.1', family: 4 }]);
    expect(await ask({ resolve4: none, resolve6 })).toEqual([{ address: '2606:4700::1', family: 6 }]);
  });

  it('that nobody knows is an error', async () => {
    await expect(ask({ resolve4: none, resolve6: none })).rejects.toMatchObject({ code: 'ENODATA' });
  });
});
