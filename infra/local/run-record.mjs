import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isSameProcess } from './process-identity.mjs';
import { signalGroup } from './signal-group.mjs';

const POLL_INTERVAL_MS = 50;
const TIMEOUT_MS = 15_000;
const LAUNCHER_TIMEOUT_MS = 60_000;

const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
};

/** Waits until the process has ended, and kills it with `send` after the time. */
async function waitForEnd(running, send, timeoutMs) {
  const deadlineMs = Date.now() + timeoutMs;
  while (isSameProcess(running) && Date.now() < deadlineMs) await sleep(POLL_INTERVAL_MS);
  const isForced = isSameProcess(running);
  if (isForced) send(running.pid, 'SIGKILL');
  while (isSameProcess(running)) await sleep(POLL_INTERVAL_MS);
  return { isForced };
}

async function stopOrphan(orphan) {
  signalGroup(orphan.pid, orphan.stopSignal);
  await waitForEnd(orphan, signalGroup, TIMEOUT_MS);
}

/**
 * A folder with one file for each running process of a launcher. The next launcher reads it to stop the processes of a
 * killed one. The launcher's own file is `launcher.json`.
 */
export class RunRecord {
  #folder;

  constructor(folder) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  get folder() {
    return this.#folder;
  }

  get #launcherFile() {
    return join(this.#folder, 'launcher.json');
  }

  /** Returns the running launcher, or undefined. */
  runningLauncher() {
    const launcher = readJson(this.#launcherFile);
    return launcher !== undefined && isSameProcess(launcher) ? launcher : undefined;
  }

  /** Asks the running launcher to stop, and kills it if it has not within the time. `stopOrphans` then stops the rest. */
  async stopLauncher(timeoutMs = LAUNCHER_TIMEOUT_MS) {
    const launcher = this.runningLauncher();
    if (launcher === undefined) return { isForced: false };
    process.kill(launcher.pid, 'SIGTERM');
    return waitForEnd(launcher, process.kill, timeoutMs);
  }

  recordLauncher() {
    writeFileSync(this.#launcherFile, JSON.stringify({ pid: process.pid, identity: identityOf(process.pid) }));
  }

  removeLauncher() {
    rmSync(this.#launcherFile, { force: true });
  }

  add({ pid, name, stopSignal }) {
    const entry = { pid, identity: identityOf(pid), name, stopSignal, addedAtMs: Date.now() };
    writeFileSync(join(this.#folder, `process-${pid}.json`), JSON.stringify(entry));
  }

  remove(pid) {
    rmSync(join(this.#folder, `process-${pid}.json`), { force: true });
  }

  /** Stops every recorded process, the newest first, and returns their names. */
  async stopOrphans() {
    const files = readdirSync(this.#folder).filter((file) => file.startsWith('process-'));
    const entries = files.map((file) => readJson(join(this.#folder, file))).filter((entry) => entry !== undefined);
    const orphans = entries.filter(isSameProcess).sort((a, b) => b.addedAtMs - a.addedAtMs);
    for (const orphan of orphans) await stopOrphan(orphan);
    for (const file of files) rmSync(join(this.#folder, file), { force: true });
    return orphans.map((orphan) => orphan.name);
  }
}
