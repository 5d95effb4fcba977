import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpPools } from '@gateway/http';
import { createLogger } from '@gateway/observability';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { askBilling, type Patience } from './ask-billing.js';

const TOKEN = 'internal-token';
const pools = new HttpPools();
const logger = createLogger({ service: 'api-edge', level: 'silent' });
let server: Server;
let asked: string[];

const clientOf = (url: string, patience?: Patience) => askBilling(pools, { url, token: TOKEN }, logger, patience);

/** Answers one question after the other, the last answer from then on. */
async function billingThat(...answers: readonly RequestListener[]): Promise<string> {
  asked = [];
  server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    request.resume();
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    answer?.(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const hangUp: RequestListener = (request) => request.socket.destroy();
const drain: RequestListener = (_, response) => void response.writeHead(503).end('{}');
const break_: RequestListener = (_, response) => void response.writeHead(500).end('{}');
const grant: RequestListener = (_, response) => void response.writeHead(200).end('{"granted":true}');
const keepSilent: RequestListener = () => undefined;

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});
afterAll(() => pools.close());

describe('askBilling', () => {
  it('asks again when a copy of billing goes while it is asked', async () => {
    const client = clientOf(await billingThat(hangUp, drain, grant));
    await expect(client.post('/internal/escrow', {})).resolves.toEqual({ granted: true });
    expect(asked).toEqual(Array(3).fill(`/internal/escrow Bearer ${TOKEN}`));
  });

  it('asks on for as long as it takes another copy to come', async () => {
    const client = clientOf(await billingThat(hangUp, hangUp, drain, drain, grant));
    await expect(client.post('/internal/escrow', {})).resolves.toEqual({ granted: true });
    expect(asked).toHaveLength(5);
  });

  it('leaves a copy that keeps silent and asks another', async () => {
    const client = clientOf(await billingThat(keepSilent, grant), { tryMs: 1_000, awayMs: 30_000 });
    await expect(client.post('/internal/escrow', {})).resolves.toEqual({ granted: true });
    expect(asked.length).toBeGreaterThan(1);
  });

  it('gives up where billing stays away, and does not wait for it once more with every question', async () => {
    const client = clientOf(await billingThat(hangUp), { tryMs: 1_000, awayMs: 3_000 });
    await expect(client.post('/internal/escrow', {})).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(asked.length).toBeGreaterThan(2);
    const before = asked.length;
    await expect(client.post('/internal/escrow', {})).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(asked).toHaveLength(before + 1);
  });

  it('waits again for a billing that has answered since', async () => {
    const away = Array.from({ length: 3 }, () => hangUp);
    const client = clientOf(await billingThat(...away, break_, ...away, grant));
    await expect(client.post('/internal/escrow', {})).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(client.post('/internal/escrow', {})).resolves.toEqual({ granted: true });
    expect(asked).toHaveLength(8);
  });

  it('does not ask again what billing cannot answer', async () => {
    const client = clientOf(await billingThat(break_, grant));
    await expect(client.post('/internal/escrow', {})).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(asked).toHaveLength(1);
  });
});
