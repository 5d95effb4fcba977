import { randomUUID } from 'node:crypto';
import { eventually, fullResponse, type OpenResponse, openResponse, startTestStack } from '@gateway/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectConsistentLedger } from '../support/expect-consistent-ledger.js';
import { DEFAULT_MODEL } from '../text/chat-fields.js';
import { KeptRequests } from './kept-requests.js';

const stack = await startTestStack({ commonEnv: { ACCEPT_TIMEOUT_MS: '30000' } });
const edges = [
  stack.system.instance('api-edge'),
  await stack.system.add('api-edge'),
  await stack.system.add('api-edge'),
];
afterAll(() => stack.stop());

const customer = await stack.createCustomer({ creditUsd: '100', limits: { rpm: 0, concurrency: 0 } });
const requests = new KeptRequests(stack, customer);
const RESUMABLE = { prefer: 'resumable' };

const stream = (content: string) => ({
  body: { model: DEFAULT_MODEL, stream: true, messages: [{ role: 'user', content }] },
});

/** Reads `count` bytes, or to the end or the break of the connection. */
async function readSome({ message, disconnect }: OpenResponse, count = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of message) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes >= count) break;
    }
  } catch {
    // The edge was killed: what has arrived counts.
  }
  disconnect();
  return Buffer.concat(chunks);
}

const attach = (baseUrl: string, id: string, after: number): Promise<OpenResponse> =>
  openResponse(baseUrl, { method: 'GET', path: `/v1/requests/${id}/stream?after=${after}`, key: customer.apiKey });

describe('a resumable stream', () => {
  it('is the same stream for a client that stays', async () => {
    const response = await requests.send({ ...stream('Stay'), headers: RESUMABLE });
    expect([response.status, response.headers['preference-applied']]).toEqual([200, 'resumable']);
    const id = String(response.headers['x-request-id']);
    expect((await requests.get(`/v1/requests/${id}/result`)).text).toBe(response.text);
    expect(response.text).toMatch(/data: \[DONE\]\n\n$/);
  });

  it('read through three edges that die is byte for byte the stream read whole, charged once', async () => {
    const sent = stream('{{sim chunks=60 chunk_ms=100}} Go on');
    const [first, ...others] = edges;
    const begun = await openResponse(first?.url ?? '', { key: customer.apiKey, headers: RESUMABLE, ...sent });
    const id = String(begun.headers['x-request-id']);
    let read = await readSome(begun, 400);
    await first?.kill();
    for (const edge of others) {
      read = Buffer.concat([read, await readSome(await attach(edge.url, id, read.length), 1_500)]);
      await edge.kill();
    }
    await first?.start();
    read = Buffer.concat([read, await readSome(await attach(first?.url ?? '', id, read.length))]);
    const whole = await fullResponse(first?.url ?? '', {
      method: 'GET',
      path: `/v1/requests/${id}/result`,
      key: customer.apiKey,
    });
    expect(whole.status).toBe(200);
    expect(read.toString()).toBe(whole.text);
    await eventually(async () => {
      expect(
        (await stack.ledger.settlements(customer.accountId)).filter(({ requestId }) => requestId === id),
      ).toHaveLength(1);
    });
  });

  it('is the same stream for a repeated idempotency key, while it runs and later, and free', async () => {
    const headers = { ...RESUMABLE, 'idempotency-key': randomUUID() };
    const sent = { ...stream('{{sim chunks=20 chunk_ms=50}} Again'), headers };
    const begun = await openResponse(edges[0]?.url ?? '', { key: customer.apiKey, ...sent });
    const [whole, ...others] = await Promise.all([readSome(begun), requests.send(sent)]);
    for (const again of [...others, await requests.send(sent)]) {
      expect([again.status, again.headers['idempotent-replayed'], again.text]).toEqual([200, 'true', `${whole}`]);
    }
    const id = begun.headers['x-request-id'];
    // Billing books it after the response.
    await eventually(async () => {
      const settlements = await stack.ledger.settlements(customer.accountId);
      expect(settlements.filter(({ requestId }) => requestId === id)).toHaveLength(1);
    });
  });

  it('reports an error before its first byte like any other request', async () => {
    const refused = await requests.send({ ...stream('{{sim status=400}} Fail'), headers: RESUMABLE });
    const live = await requests.send(stream('{{sim status=400}} Fail'));
    expect([refused.status, refused.json()]).toEqual([live.status, live.json()]);
  });

  it('refuses an offset that is no number', async () => {
    const record = await requests.begin(stream('Offset'));
    await requests.until(record, 'completed');
    expect((await requests.get(`${record.stream_url}?after=x`)).status).toBe(400);
    expect((await requests.get(`${record.stream_url}?after=99999999`)).status).toBe(400);
  });

  it('leaves consistent money', () => expectConsistentLedger(stack, [customer]));
});
