import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { takePortNear, takeRandomPort } from './ports.mjs';

const servers = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close() && once(server, 'close'))));

async function occupy(port, host) {
  const server = createServer();
  servers.push(server);
  server.listen(port, host);
  await once(server, 'listening');
}

describe('a port for a service', () => {
  it.each(['127.0.0.1', '0.0.0.0', '::'])('is another one while somebody listens on %s', async (host) => {
    const wanted = await takeRandomPort();
    await occupy(wanted + 1, host);
    expect(await takePortNear(wanted + 1)).toBeGreaterThan(wanted + 1);
  });

  it('is the preferred one if it is free, and is given once only', async () => {
    const free = (await takeRandomPort()) + 10_000;
    const first = await takePortNear(free);
    const second = await takePortNear(free);
    expect(first).toBeGreaterThanOrEqual(free);
    expect(second).toBeGreaterThan(first);
  });
});
