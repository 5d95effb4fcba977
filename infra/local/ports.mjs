import { createServer } from 'node:net';
import { PlainError } from './print.mjs';

// Below the range from which systems take the ports of outgoing connections, so that none of those takes ours first.
const FIRST_RANDOM_PORT = 20_000;
const RANDOM_PORTS = 12_000;
const NEXT_PORTS_TO_TRY = 200;

const given = new Set();

const canListen = (port, host) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(error.code === 'EAFNOSUPPORT' || error.code === 'EADDRNOTAVAIL'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** Free on the loopback address and on all addresses: a listener on either would take our connections. */
async function isFree(port) {
  if (given.has(port)) return false;
  return (await canListen(port, '127.0.0.1')) && (await canListen(port, '0.0.0.0')) && (await canListen(port, '::'));
}

async function firstFree(candidates) {
  for (const port of candidates) {
    if (await isFree(port)) {
      given.add(port);
      return port;
    }
  }
  return undefined;
}

/** The preferred port if it is free, else the next free one above it. No port is given twice by one process. */
export async function takePortNear(preferred) {
  const port = await firstFree(Array.from({ length: NEXT_PORTS_TO_TRY }, (_, offset) => preferred + offset));
  if (port === undefined)
    throw new PlainError(`No port from ${preferred} to ${preferred + NEXT_PORTS_TO_TRY} is free.`);
  return port;
}

/** Some free port, for tests that run beside other systems. */
export async function takeRandomPort() {
  const randomPort = () => FIRST_RANDOM_PORT + Math.floor(Math.random() * RANDOM_PORTS);
  const port = await firstFree(Array.from({ length: NEXT_PORTS_TO_TRY }, randomPort));
  if (port === undefined) throw new PlainError('No random port is free.');
  return port;
}
