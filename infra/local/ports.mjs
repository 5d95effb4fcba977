import { createSocket } from 'node:dgram';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { PlainError, PortIsTaken } from './print.mjs';
import { writePrivateJson } from './secrets.mjs';

// Below the range of ephemeral ports, so that no outgoing connection takes ours first.
const FIRST_RANDOM_PORT = 20_000;
const RANDOM_PORTS = 12_000;
const NEXT_PORTS_TO_TRY = 200;
const STARTS_TO_TRY = 5;

const canListen = (port, host) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(error.code === 'EAFNOSUPPORT' || error.code === 'EADDRNOTAVAIL'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** Free on the loopback address and on all addresses: a listener on either would receive our connections. */
const isFree = async (port) =>
  (await canListen(port, '127.0.0.1')) && (await canListen(port, '0.0.0.0')) && (await canListen(port, '::'));

/**
 * Seconds pass between the choice of a port and the service's listen, in which a second launcher may find it free too.
 * Its Redis would then serve our clients. Launchers therefore claim a port by binding the UDP port of the same number.
 * The kernel releases the claim when this process ends in any way.
 */
const claim = (port) =>
  new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', (error) => {
      socket.close();
      resolve(error.code !== 'EADDRINUSE');
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref();
      resolve(true);
    });
  });

async function firstFree(candidates) {
  for (const port of candidates) {
    // Claimed first: only one of two launchers that find it free may have it.
    if ((await claim(port)) && (await isFree(port))) return port;
  }
  return undefined;
}

/** The preferred port if it is free, else the next free one above it. No process gets the same port twice. */
export async function takePortNear(preferred) {
  const port = await firstFree(Array.from({ length: NEXT_PORTS_TO_TRY }, (_, offset) => preferred + offset));
  if (port === undefined)
    throw new PlainError(`No port from ${preferred} to ${preferred + NEXT_PORTS_TO_TRY} is free.`);
  return port;
}

/**
 * Like `takePortNear`, but stores each service's first port in `file`, so that addresses survive restarts. A stored
 * port that another program uses is replaced for this run only.
 */
export function rememberPorts(file, takePort = takePortNear) {
  const first = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const takes = new Map();
  return async (preferred) => {
    const take = takes.get(preferred) ?? 0;
    takes.set(preferred, take + 1);
    const remembered = first[preferred]?.[take];
    const port = await takePort(remembered ?? preferred);
    if (remembered === undefined) {
      first[preferred] = [...(first[preferred] ?? []), port];
      writePrivateJson(file, first);
    }
    return port;
  };
}

/** Any free port, for tests beside other systems. */
export async function takeRandomPort() {
  const randomPort = () => FIRST_RANDOM_PORT + Math.floor(Math.random() * RANDOM_PORTS);
  const port = await firstFree(Array.from({ length: NEXT_PORTS_TO_TRY }, randomPort));
  if (port === undefined) throw new PlainError('No random port is free.');
  return port;
}

/** Runs `start` with new ports, and again on others if another program took one meanwhile. */
export async function onFreePorts(start) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof PortIsTaken) || tries === STARTS_TO_TRY) throw error;
    }
  }
}
