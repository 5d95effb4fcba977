import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ManagedProcess } from './managed-process.mjs';
import { PortTakenError } from './print.mjs';
import { identityOf } from './process-identity.mjs';
import { RunRecord } from './run-record.mjs';

const folder = mkdtempSync(join(tmpdir(), 'managed-process-'));
const record = new RunRecord(join(folder, 'run'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
const READY = "process.stdout.write('ready\\n'); setInterval(() => {}, 1000);";

function managed(script, more = {}) {
  count += 1;
  const logFile = join(folder, `${count}.log`);
  const options = { name: `process-${count}`, command: process.execPath, args: ['-e', script], env: {}, cwd: folder };
  return new ManagedProcess({ ...options, logFile, record, ...more });
}

async function started(script, more) {
  const child = managed(script, more);
  child.start();
  await child.waitUntil(() => child.log().includes('ready'));
  return child;
}

describe('a managed process', () => {
  it('is in the run record only while it runs', async () => {
    const child = await started(READY);
    const entry = join(record.folder, `process-${child.pid}.json`);
    expect(JSON.parse(readFileSync(entry, 'utf8'))).toMatchObject({ pid: child.pid, identity: identityOf(child.pid) });
    expect(await child.stop()).toEqual({ exit: 'signal SIGTERM', isForced: false });
    expect(existsSync(entry)).toBe(false);
  });

  it('is killed if it ignores the stop signal, and stops in order while it is suspended', async () => {
    const stubborn = await started(`process.on('SIGTERM', () => {}); ${READY}`);
    expect(await stubborn.stop(100)).toEqual({ exit: 'signal SIGKILL', isForced: true });
    const frozen = await started(READY);
    frozen.suspend();
    expect(await frozen.stop()).toEqual({ exit: 'signal SIGTERM', isForced: false });
  });

  it('reports only unexpected exits', async () => {
    const exits = [];
    const onUnexpectedExit = (child) => exits.push(child.lastExit);
    const killed = await started(READY, { onUnexpectedExit });
    await killed.kill();
    const gone = new Promise((resolve) => {
      managed('process.exit(3)', { onUnexpectedExit: resolve }).start();
    });
    exits.push((await gone).lastExit);
    expect(exits).toEqual(['code 3']);
  });

  it('rejects with the end of its log if it exits before it is ready', async () => {
    const child = managed("process.stderr.write('no such database'); process.exit(1);");
    child.start();
    await expect(child.waitUntil(() => false)).rejects.toThrow(
      /exited with code 1 before it was ready[\s\S]*no such database/,
    );
  });

  it('rejects with PortTakenError if its port is taken, and reports no unexpected exit while awaited', async () => {
    const taken = createServer();
    taken.listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const exits = [];
    const child = managed(`require('node:net').createServer().listen(${taken.address().port}, '127.0.0.1');`, {
      onUnexpectedExit: (exited) => exits.push(exited.lastExit),
    });
    child.start();
    await expect(child.waitUntil(() => false)).rejects.toBeInstanceOf(PortTakenError);
    // Another program on the port may respond instead.
    child.start();
    await expect(child.waitUntil(() => !child.isRunning)).rejects.toBeInstanceOf(PortTakenError);
    expect(exits).toEqual([]);
    taken.close();
  });

  it('keeps the log of the previous run', async () => {
    const child = await started(READY);
    await child.stop();
    child.start();
    await child.waitUntil(() => child.log().includes('ready'));
    await child.stop();
    expect(readFileSync(join(folder, `${count}.previous.log`), 'utf8')).toBe('ready\n');
  });
});

describe('the run record', () => {
  it('stops processes of a killed launcher', async () => {
    const orphan = await started(READY);
    expect(await record.stopOrphans()).toEqual([orphan.name]);
    await expect(orphan.waitUntil(() => false)).rejects.toThrow('signal SIGTERM');
  });

  it('leaves an unrelated process alone that reuses a recorded pid', async () => {
    const unrelated = await started(READY);
    const entry = join(record.folder, `process-${unrelated.pid}.json`);
    const { pid, name, stopSignal } = JSON.parse(readFileSync(entry, 'utf8'));
    const other = new RunRecord(join(folder, 'other'));
    other.add({ pid, name, stopSignal });
    writeFileSync(
      join(other.folder, `process-${pid}.json`),
      JSON.stringify({ pid, name, stopSignal, identity: 'older' }),
    );
    expect(await other.stopOrphans()).toEqual([]);
    expect(unrelated.isRunning).toBe(true);
    await unrelated.stop();
  });
});
