import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { holdBack } from './hold-back.js';

const requestOn = (socket: unknown): FastifyRequest => ({ raw: { socket } }) as FastifyRequest;

describe('a refusal that is held back', () => {
  it('rejects with the refusal, and reads nothing of its connection meanwhile', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection');
    const client = connect((server.address() as { port: number }).port, '127.0.0.1');
    const [socket] = (await accepted) as [Socket];
    socket.on('data', () => undefined);
    const refusal = new Error('too many');
    const held = holdBack(requestOn(socket), refusal, 1);
    expect(socket.isPaused()).toBe(true);
    await expect(held).rejects.toBe(refusal);
    expect(socket.isPaused()).toBe(false);
    client.destroy();
    server.close();
  });

  it('may belong to a request without a connection of its own', async () => {
    const refusal = new Error('too many');
    await expect(holdBack(requestOn({}), refusal, 1)).rejects.toBe(refusal);
  });
});
