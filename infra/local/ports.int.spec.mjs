import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { onFreePorts, rememberPorts, takePortNear, takeRandomPort } from './ports.mjs';
import { PlainError, PortIsTaken } from './print.mjs';

const servers = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close() && once(server, 'close'))));

async function occupy(port, host) {
  const server = createServer();
  servers.push(server);
  server.listen(port, host);
  await once(server, 'listening');
}

describe('a port for a service', () => {
  it.each(['127.0.0.1', '0.0.0.0', '::'])('is another one while a process listens on %s', async (host) => {
    const wanted = await takeRandomPort();
    await occupy(wanted + 1, host);
    expect(await takePortNear(wanted + 1)).toBeGreaterThan(wanted + 1);
  });

  it('is the preferred one if it is free, and is returned once', async () => {
    const free = (await takeRandomPort()) + 10_000;
    const first = await takePortNear(free);
    const second = await takePortNear(free);
    expect(first).toBeGreaterThanOrEqual(free);
    expect(second).toBeGreaterThan(first);
  });

  it('goes to one of several launchers that search at the same time', async () => {
    const wanted = await takeRandomPort();
    const looking = Array.from({ length: 4 }, () => launcherThatTakes(wanted + 1, 5));
    const taken = (await Promise.all(looking.map(({ ports }) => ports))).flat();
    for (const { child } of looking) child.kill();
    expect([taken.length, new Set(taken).size]).toEqual([20, 20]);
  });
});

describe('remembered ports', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ports-'));
  const file = join(folder, 'ports.json');
  const taken = new Set();
  const takePort = async (preferred) => {
    let port = preferred;
    while (taken.has(port)) port += 1;
    return port;
  };
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('stay when the preferred ones become free', async () => {
    taken.add(8080);
    expect(await rememberPorts(file, takePort)(8080)).toBe(8081);
    taken.delete(8080);
    expect(await rememberPorts(file, takePort)(8080)).toBe(8081);
  });

  it('are replaced for one run where another program uses them', async () => {
    taken.add(8081);
    expect(await rememberPorts(file, takePort)(8080)).toBe(8082);
    taken.delete(8081);
    expect(await rememberPorts(file, takePort)(8080)).toBe(8081);
  });

  it('are distinct for instances that prefer the same port', async () => {
    taken.add(6380);
    const take = rememberPorts(file, takePort);
    const ports = [await take(6380), await take(6380)];
    taken.delete(6380);
    const again = rememberPorts(file, takePort);
    expect([await again(6380), await again(6380)]).toEqual(ports);
  });
});

describe('a start', () => {
  it('is retried a few times on other ports if another program took one', async () => {
    let starts = 0;
    const started = await onFreePorts(async () => {
      starts += 1;
      if (starts < 3) throw new PortIsTaken('taken');
      return starts;
    });
    expect(started).toBe(3);
    const everTaken = onFreePorts(async () => {
      starts += 1;
      throw new PortIsTaken('taken');
    });
    await expect(everTaken).rejects.toThrow('taken');
    expect(starts).toBe(8);
  });

  it('that fails for another reason is not retried', async () => {
    let starts = 0;
    const failed = onFreePorts(async () => {
      starts += 1;
      throw new PlainError('no such database');
    });
    await expect(failed).rejects.toThrow('no such database');
    expect(starts).toBe(1);
  });
});

/** Another launcher: a process that takes ports, prints them, and keeps them until it ends. */
function launcherThatTakes(preferred, count) {
  const script = `
    import { takePortNear } from ${JSON.stringify(new URL('./ports.mjs', import.meta.url).href)};
    for (let taken = 0; taken < ${count}; taken += 1) console.log(await takePortNear(${preferred}));
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
