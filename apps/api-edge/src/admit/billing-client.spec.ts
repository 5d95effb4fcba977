import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpPools } from '@gateway/http';
import { createLogger } from '@gateway/observability';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { createBillingClient, type RetryLimits } from './billing-client.js';

const TOKEN = 'internal-token';
const SHORT: RetryLimits = { attemptTimeoutMs: 1_000, maxOutageMs: 3_000, cooldownMs: 0 };
const pools = new HttpPools();
const logger = createLogger({ service: 'api-edge', level: 'silent' });
let server: Server;
let requests: string[];

const clientOf = (url: string, limits?: RetryLimits) =>
  createBillingClient(pools, { url, token: TOKEN }, logger, limits);

/** Responds to each request in turn, and to all further ones as to the last. */
async function startBilling(...responses: readonly RequestListener[]): Promise<string> {
  requests = [];
  server = createServer((request, response) => {
    requests.push(`${request.url} ${request.headers.authorization}`);
    request.resume();
    responses[Math.min(requests.length, responses.length) - 1]?.(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const hangUp: RequestListener = (request) => request.socket.destroy();
const drain: RequestListener = (_, response) => void response.writeHead(503).end('{}');
const fail: RequestListener = (_, response) => void response.writeHead(500).end('{}');
const grant: RequestListener = (_, response) => void response.writeHead(200).end('{"granted":true}');
const keepSilent: RequestListener = () => undefined;

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});
afterAll(() => pools.close());

describe('the billing client', () => {
  it('retries when a replica stops during the request', async () => {
    const client = clientOf(await startBilling(hangUp, drain, grant));
    await expect(client.post('/internal/escrow', {})).resolves.toEqual({ granted: true });
    expect(requests).toEqual(Array(3).fill(`/internal/escrow Bearer ${TOKEN}`));
  });

  it('retries until another replica is there', async () => {
    const client = clientOf(await startBilling(hangUp, hangUp, drain, drain, grant));
    await expect(client.post('/internal/escrow', {})).resolves.toEqual({ granted: true });
    expect(requests).toHaveLength(5);
  });

  it('abandons a silent replica and retries', async () => {
    const client = clientOf(await startBilling(keepSilent, grant), { ...SHORT, maxOutageMs: 30_000 });
    await expect(client.post('/internal/escrow', {})).resolves.toEqual({ granted: true });
    expect(requests.length).toBeGreaterThan(1);
  });

  it('gives up after a long outage, and does not wait again for the next request', async () => {
    const client = clientOf(await startBilling(hangUp), SHORT);
    await expect(client.post('/internal/escrow', {})).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(requests.length).toBeGreaterThan(2);
    const before = requests.length;
    await expect(client.post('/internal/escrow', {})).rejects.toMatchObject({ code: 'service_unavailable' });
    // Its only attempt may meet the closed connection before it reaches the server.
    expect(requests.length - before).toBeLessThanOrEqual(1);
  });

  it('lets no request wait for a silent billing behind those that have waited', async () => {
    const client = clientOf(await startBilling(keepSilent), {
      attemptTimeoutMs: 300,
      maxOutageMs: 500,
      cooldownMs: 60_000,
    });
    const attempt = () =>
      expect(client.post('/internal/escrow', {})).rejects.toMatchObject({ code: 'service_unavailable' });
    await attempt();
    const before = requests.length;
    for (let waiting = 0; waiting < 10; waiting += 1) await attempt();
    expect(requests).toHaveLength(before);
  });

  it('tries a silent billing again after its cooldown', async () => {
    const limits = { attemptTimeoutMs: 300, maxOutageMs: 500, cooldownMs: 1 };
    const client = clientOf(await startBilling(keepSilent, keepSilent, grant), limits);
    await expect(client.post('/internal/escrow', {})).rejects.toMatchObject({ code: 'service_unavailable' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await expect(client.post('/internal/escrow', {})).resolves.toEqual({ granted: true });
  });

  it('retries again once billing has responded', async () => {
    const away = Array.from({ length: 3 }, () => hangUp);
    const client = clientOf(await startBilling(...away, fail, ...away, grant));
    await expect(client.post('/internal/escrow', {})).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(client.post('/internal/escrow', {})).resolves.toEqual({ granted: true });
    expect(requests).toHaveLength(8);
  });

  it('does not retry a response that is not transient', async () => {
    const client = clientOf(await startBilling(fail, grant));
    await expect(client.post('/internal/escrow', {})).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(requests).toHaveLength(1);
  });
});
