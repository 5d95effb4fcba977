import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '../metrics.js';
import { readinessGauge } from './readiness-gauge.js';
import { serveProbesWhile } from './serve-probes-while.js';

const HOST = '127.0.0.1';
const checks = [
  { name: 'redis', check: () => Promise.reject(new Error('redis://:password@host is down')) },
  { name: 'queue-redis', check: async () => 'PONG' },
];

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilServed(url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response !== undefined) return response;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('serveProbesWhile', () => {
  it('is alive, not ready with the reason, and measured while a store is away; then it frees the port', async () => {
    const port = await freePort();
    const url = `http://${HOST}:${port}`;
    const metrics = createMetrics('test');
    const { promise: waiting, resolve: isThere } = Promise.withResolvers<void>();
    const served = serveProbesWhile(waiting, { host: HOST, port, metrics, checks });

    expect((await untilServed(`${url}/healthz`)).status).toBe(200);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: 'starting', details: { redis: { status: 'down' }, 'queue-redis': { status: 'up' } } },
    ]);
    expect((await fetch(`${url}/v1/models`)).status).toBe(503);
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain('gateway_ready{check="redis",service="test"} 0');
    expect(text).toContain('process_start_time_seconds');

    isThere();
    await served;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    // The service itself reports its readiness from now on.
    expect(() => readinessGauge(metrics, checks)).not.toThrow();
  });

  it('opens no port if everything is there', async () => {
    const taken = createServer().listen(0, HOST);
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    await serveProbesWhile(Promise.resolve(), { host: HOST, port, metrics: createMetrics('test'), checks });
    taken.close();
  });

  it('rejects as the waiting does, and frees the port', async () => {
    const port = await freePort();
    const { promise: waiting, reject } = Promise.withResolvers<void>();
    const served = serveProbesWhile(waiting, { host: HOST, port, metrics: createMetrics('test'), checks });
    await untilServed(`http://${HOST}:${port}/healthz`);
    reject(new Error('the Redis connection was closed'));
    await expect(served).rejects.toThrow('the Redis connection was closed');
    await expect(fetch(`http://${HOST}:${port}/healthz`)).rejects.toThrow();
  });
});
