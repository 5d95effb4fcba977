import { describe, expect, it } from '@jest/globals';
import { readRedisAddress } from './redis-address.js';

describe('readRedisAddress', () => {
  it.each(['redis://host:6379', 'rediss://user:word@host/2'])('leaves the server URL %s to the client', (url) => {
    expect(readRedisAddress(url)).toEqual({ kind: 'server', url });
  });

  it('parses the nodes of a cluster, with the default port', () => {
    expect(readRedisAddress('redis+cluster://one:7000,two, [fd00::3]:7002/')).toEqual({
      kind: 'cluster',
      nodes: [
        { host: 'one', port: 7000 },
        { host: 'two', port: 6379 },
        { host: 'fd00::3', port: 7002 },
      ],
      credentials: {},
      isEncrypted: false,
    });
  });

  it('parses credentials and TLS for all nodes', () => {
    expect(readRedisAddress('rediss+cluster://gateway:p%40ss%3Aword@one:7000')).toMatchObject({
      credentials: { username: 'gateway', password: 'p@ss:word' },
      isEncrypted: true,
    });
    expect(readRedisAddress('redis+cluster://:a:b@one')).toMatchObject({ credentials: { password: 'a:b' } });
    expect(readRedisAddress('redis+cluster://:word@one')).toMatchObject({ credentials: { password: 'word' } });
  });
});
