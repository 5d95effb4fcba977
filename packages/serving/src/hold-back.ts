import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';

/** A client that ignores refusals gets one a second of each connection. */
const PAUSE_MS = 1_000;

/** Connections that wait with a refusal. */
const held = new WeakSet<Socket>();

/**
 * Rejects with the refusal of a client that has had too many, after a pause: a refusal at once costs as much as a request,
 * and a flood of them would still slow every other client. Nothing is read from its connection meanwhile. What it sent
 * ahead was read already: hundreds of requests fit in one read, so the second one of them ends the connection.
 */
export async function holdBack(
  { raw }: Pick<FastifyRequest, 'raw'>,
  refusal: unknown,
  pauseMs = PAUSE_MS,
): Promise<never> {
  const { socket } = raw;
  // A request within a WebSocket has no connection of its own.
  const connection = socket instanceof Socket ? socket : undefined;
  if (connection !== undefined && held.has(connection)) {
    connection.destroy();
    throw refusal;
  }
  if (connection !== undefined) held.add(connection);
  connection?.pause();
  await sleep(pauseMs);
  if (connection !== undefined) held.delete(connection);
  connection?.resume();
  throw refusal;
}
