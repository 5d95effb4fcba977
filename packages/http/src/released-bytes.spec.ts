import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { HttpPools } from './http-pools.js';
import { ReleasedBytes } from './released-bytes.js';

const bytesOf = (length: number): Buffer => Buffer.alloc(length, 'abcdefg');

describe('the bytes of a long request', () => {
  it.each([0, 1, 262_144, 262_145, 1_000_000])('are all there, in order: %d', async (length) => {
    const bytes = bytesOf(length);
    const chunks: Uint8Array[] = [];
    for await (const chunk of new ReleasedBytes(bytes)) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  });

  it('are free once the last of them was taken, although the request still has its body', async () => {
    const body = new ReleasedBytes(bytesOf(600_000));
    for await (const _chunk of body);
    const again: Uint8Array[] = [];
    for await (const chunk of body) again.push(chunk);
    expect(again).toEqual([]);
  });
});

describe('a long request', () => {
  let server: Server;
  const pools = new HttpPools();
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  it('arrives whole with its length, for bytes and for text', async () => {
    const received: [string | undefined, string | undefined, Buffer][] = [];
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = await request.toArray();
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
      received.push([length, encoding, Buffer.concat(chunks)]);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
    const bytes = bytesOf(3_000_001);
    for (const body of [bytes, bytes.toString()]) {
      const request = { method: 'POST', url, headers: {}, body } as const;
      const response = await pools.send(request, { headersTimeoutMs: 5_000, bodyTimeoutMs: 5_000 });
      expect(response.status).toBe(200);
      await response.bytes(10);
    }
    for (const [length, encoding, got] of received) {
      expect([length, encoding, got.equals(bytes)]).toEqual(['3000001', undefined, true]);
    }
    expect(received).toHaveLength(2);
  });
});
