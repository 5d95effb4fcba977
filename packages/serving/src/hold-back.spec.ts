import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { holdBack } from './hold-back.js';

const requestOn = (socket: unknown): FastifyRequest => ({ raw: { socket } }) as FastifyRequest;

async function connection() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const client = connect((server.address() as { port: number }).port, '127.0.0.1');
  client.on('error', () => undefined);
  const [socket] = (await accepted) as [Socket];
  socket.on('data', () => undefined);
  const close = () => {
    client.destroy();
    server.close();
  };
  return { socket, close };
}

describe('a refusal that is held back', () => {
  it('rejects with the refusal, and reads nothing of its connection meanwhile', async () => {
    const { socket, close } = await connection();
    const refusal = new Error('too many');
    const held = holdBack(requestOn(socket), refusal, 1);
    expect(socket.isPaused()).toBe(true);
    await expect(held).rejects.toBe(refusal);
    expect(socket.isPaused()).toBe(false);
    await expect(holdBack(requestOn(socket), refusal, 1)).rejects.toBe(refusal);
    expect(socket.destroyed).toBe(false);
    close();
  });

  it('ends the connection of a client that has sent another request ahead', async () => {
    const { socket, close } = await connection();
    const refusal = new Error('too many');
    const first = holdBack(requestOn(socket), refusal, 1);
    await expect(holdBack(requestOn(socket), refusal, 60_000)).rejects.toBe(refusal);
    expect(socket.destroyed).toBe(true);
    await expect(first).rejects.toBe(refusal);
    close();
  });

  it('may belong to a request without a connection of its own', async () => {
    const refusal = new Error('too many');
    await expect(holdBack(requestOn({}), refusal, 1)).rejects.toBe(refusal);
  });
});
