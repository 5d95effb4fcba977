import { createSocket } from 'node:dgram';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { PlainError, PortTakenError } from './print.mjs';
import { writePrivateJson } from './secrets.mjs';

// Below the ephemeral range, so that no outgoing connection takes these ports.
const FIRST_RANDOM_PORT = 20_000;
const RANDOM_PORTS = 12_000;
const MAX_CANDIDATES = 200;
const MAX_STARTS = 5;

const canListen = (port, host) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(error.code === 'EAFNOSUPPORT' || error.code === 'EADDRNOTAVAIL'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** True if no program listens on the loopback address or on all addresses. Either would take our connections. */
const isFree = async (port) =>
  (await canListen(port, '127.0.0.1')) && (await canListen(port, '0.0.0.0')) && (await canListen(port, '::'));

/**
 * A service listens only seconds after its port was chosen, and a second launcher would find the port free meanwhile.
 * So a launcher claims a port by binding the UDP port of the same number, which no service uses. The system releases the
 * claim when the process exits.
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
    // Claim first: two launchers may find the port free at the same time.
    if ((await claim(port)) && (await isFree(port))) return port;
  }
  return undefined;
}

/** Reserves the preferred port, or the next free one above it. No launcher reserves a port twice. */
export async function reservePortNear(preferred) {
  const port = await firstFree(Array.from({ length: MAX_CANDIDATES }, (_, offset) => preferred + offset));
  if (port === undefined)
    throw new PlainError(
      `No port from ${preferred} to ${preferred + MAX_CANDIDATES} is free. Stop a program that uses one.`,
    );
  return port;
}

/**
 * Like `reservePortNear`, but stores the first port of each service in `file`, so that addresses survive restarts.
 * If another program has taken a stored port, this run uses another one.
 */
export function rememberPorts(file, takePort = reservePortNear) {
  const storedPorts = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const counts = new Map();
  return async (preferred) => {
    const copy = counts.get(preferred) ?? 0;
    counts.set(preferred, copy + 1);
    const remembered = storedPorts[preferred]?.[copy];
    const port = await takePort(remembered ?? preferred);
    if (remembered === undefined) {
      storedPorts[preferred] = [...(storedPorts[preferred] ?? []), port];
      writePrivateJson(file, storedPorts);
    }
    return port;
  };
}

/** Reserves a random free port, for tests that run beside other systems. */
export async function reserveRandomPort() {
  const randomPort = () => FIRST_RANDOM_PORT + Math.floor(Math.random() * RANDOM_PORTS);
  const port = await firstFree(Array.from({ length: MAX_CANDIDATES }, randomPort));
  if (port === undefined)
    throw new PlainError(`No free port found from ${FIRST_RANDOM_PORT} to ${FIRST_RANDOM_PORT + RANDOM_PORTS}.`);
  return port;
}

/** Calls `start`, which reserves ports and uses them. Retries if another program took one meanwhile. */
export async function retryOnTakenPort(start) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof PortTakenError) || attempt === MAX_STARTS) throw error;
    }
  }
}
