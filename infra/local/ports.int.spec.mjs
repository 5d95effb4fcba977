import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { rememberPorts, reservePortNear, reserveRandomPort, retryOnTakenPort } from './ports.mjs';
import { PlainError, PortTakenError } from './print.mjs';

const servers = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close() && once(server, 'close'))));

async function occupy(port, host) {
  const server = createServer();
  servers.push(server);
  server.listen(port, host);
  await once(server, 'listening');
}

describe('a port for a service', () => {
  it.each(['127.0.0.1', '0.0.0.0', '::'])('skips a port on which a program listens on %s', async (host) => {
    const base = await reserveRandomPort();
    await occupy(base + 1, host);
    expect(await reservePortNear(base + 1)).toBeGreaterThan(base + 1);
  });

  it('is the preferred one if it is free, and is reserved once', async () => {
    const free = (await reserveRandomPort()) + 10_000;
    const first = await reservePortNear(free);
    const second = await reservePortNear(free);
    expect(first).toBeGreaterThanOrEqual(free);
    expect(second).toBeGreaterThan(first);
  });

  it('is reserved by one of several concurrent launchers', async () => {
    const base = await reserveRandomPort();
    const launchers = Array.from({ length: 4 }, () => startReservingLauncher(base + 1, 5));
    const taken = (await Promise.all(launchers.map(({ ports }) => ports))).flat();
    for (const { child } of launchers) child.kill();
    expect([taken.length, new Set(taken).size]).toEqual([20, 20]);
  });
});

describe('stored ports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ports-'));
  const file = join(folder, 'ports.json');
  const taken = new Set();
  const takePort = async (preferred) => {
    let port = preferred;
    while (taken.has(port)) port += 1;
    return port;
  };
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('stay the same when the preferred ones become free', async () => {
    taken.add(8080);
    expect(await rememberPorts(file, takePort)(8080)).toBe(8081);
    taken.delete(8080);
    expect(await rememberPorts(file, takePort)(8080)).toBe(8081);
  });

  it('are replaced for one run if another program took them', async () => {
    taken.add(8081);
    expect(await rememberPorts(file, takePort)(8080)).toBe(8082);
    taken.delete(8081);
    expect(await rememberPorts(file, takePort)(8080)).toBe(8081);
  });

  it('are distinct for copies that prefer the same port', async () => {
    taken.add(6380);
    const take = rememberPorts(file, takePort);
    const ports = [await take(6380), await take(6380)];
    taken.delete(6380);
    const again = rememberPorts(file, takePort);
    expect([await again(6380), await again(6380)]).toEqual(ports);
  });
});

describe('a start on free ports', () => {
  it('is retried up to five times if another program took the port', async () => {
    let starts = 0;
    const started = await retryOnTakenPort(async () => {
      starts += 1;
      if (starts < 3) throw new PortTakenError('taken');
      return starts;
    });
    expect(started).toBe(3);
    const alwaysTaken = retryOnTakenPort(async () => {
      starts += 1;
      throw new PortTakenError('taken');
    });
    await expect(alwaysTaken).rejects.toThrow('taken');
    expect(starts).toBe(8);
  });

  it('is not retried after any other error', async () => {
    let starts = 0;
    const failed = retryOnTakenPort(async () => {
      starts += 1;
      throw new PlainError('no such database');
    });
    await expect(failed).rejects.toThrow('no such database');
    expect(starts).toBe(1);
  });
});

/** Starts another launcher, which reserves ports, prints them, and holds them until it exits. */
function startReservingLauncher(preferred, count) {
  const script = `
    import { reservePortNear } from ${JSON.stringify(new URL('./ports.mjs', import.meta.url).href)};
    for (let taken = 0; taken < ${count}; taken += 1) console.log(await reservePortNear(${preferred}));
    process.stdin.resume();`;
  const args = ['--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { env: {}, stdio: ['pipe', 'pipe', 'inherit'] });
  const read = async () => {
    const ports = [];
    for await (const text of createInterface({ input: child.stdout })) if (ports.push(text) === count) break;
    return ports;
  };
  return { child, ports: read() };
}
