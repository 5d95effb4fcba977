import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { PlainError, PortIsTaken } from './print.mjs';
import { tail } from './run-command.mjs';
import { signalGroup } from './signal-group.mjs';

/** The messages of Node, Redis, PostgreSQL and Docker. */
const PORT_IS_TAKEN = /EADDRINUSE|address already in use|port is already allocated/i;

const running = new Set();

// A last resort for a launcher that ends without stopping its processes: it can only send signals here.
process.on('exit', () => {
  for (const child of running) child.abandon();
});

/**
 * One child process in its own process group, with a log file and an entry in the run record. Ctrl-C at the terminal
 * reaches only the launcher, which then stops everything in order.
 */
export class ManagedProcess {
  #options;
  #child;
  #exit;
  #isExitExpected = false;
  #isWaitedFor = false;

  /**
   * `options`: name, command, args, env, cwd, logFile, record; optional uid and gid; stopSignal (SIGTERM) requests an
   * orderly end; abandonSignal is sent if the launcher itself ends; onUnexpectedExit(process) is called for any other
   * end that no caller awaits.
   */
  constructor(options) {
    this.#options = { stopSignal: 'SIGTERM', abandonSignal: 'SIGKILL', onUnexpectedExit: () => {}, ...options };
  }

  get name() {
    return this.#options.name;
  }

  get pid() {
    return this.#child?.pid;
  }

  get isRunning() {
    return this.#child !== undefined;
  }

  /** Sets `args` or `env` for its next start. */
  use(changed) {
    this.#options = { ...this.#options, ...changed };
  }

  /** How the last run ended: `code 1`, `signal SIGKILL`. */
  lastExit = 'not started';

  start() {
    if (this.isRunning) throw new Error(`${this.name} already runs`);
    const { command, args, env, cwd, uid, gid, logFile, record, stopSignal } = this.#options;
    const log = openLog(logFile);
    const child = spawn(command, args, { env, cwd, uid, gid, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#isExitExpected = false;
    this.#child = child;
    running.add(this);
    this.#exit = this.#watch(child);
    if (child.pid !== undefined) record.add({ pid: child.pid, name: this.name, stopSignal });
  }

  async #watch(child) {
    try {
      const [code, signal] = await once(child, 'exit');
      this.lastExit = signal === null ? `code ${code}` : `signal ${signal}`;
    } catch (error) {
      this.lastExit = error.message;
    }
    running.delete(this);
    this.#child = undefined;
    if (child.pid !== undefined) this.#options.record.remove(child.pid);
    if (!this.#isExitExpected && !this.#isWaitedFor) this.#options.onUnexpectedExit(this);
  }

  /** Requests an orderly end; after `timeoutMs` the process is killed. Returns how it ended and whether by force. */
  async stop(timeoutMs = 20_000) {
    if (!this.isRunning) return { exit: this.lastExit, isForced: false };
    let isForced = false;
    const force = setTimeout(() => {
      isForced = true;
      this.#signal('SIGKILL');
    }, timeoutMs);
    this.#isExitExpected = true;
    this.#signal(this.#options.stopSignal);
    // A suspended process handles no other signal.
    this.#signal('SIGCONT');
    await this.#exit;
    clearTimeout(force);
    return { exit: this.lastExit, isForced };
  }

  /** Kills the process without a chance to clean up. */
  async kill() {
    if (!this.isRunning) return;
    this.#isExitExpected = true;
    this.#signal('SIGKILL');
    await this.#exit;
  }

  /** Suspends the process: it keeps its sockets and never responds, like a hung machine. */
  suspend() {
    this.#signal('SIGSTOP');
  }

  resume() {
    this.#signal('SIGCONT');
  }

  abandon() {
    this.#signal(this.#options.abandonSignal);
  }

  #signal(signal) {
    if (this.pid !== undefined) signalGroup(this.pid, signal);
  }

  log() {
    return existsSync(this.#options.logFile) ? readFileSync(this.#options.logFile, 'utf8') : '';
  }

  /**
   * Waits until `isReady()` resolves to true. Throws an error with the log if the process ends first or takes too long;
   * PortIsTaken if its port is taken.
   */
  async waitUntil(isReady, timeoutMs = 60_000) {
    const untilMs = Date.now() + timeoutMs;
    this.#isWaitedFor = true;
    try {
      while (!(await isReady())) {
        this.#expectRunning();
        if (Date.now() > untilMs) throw new PlainError(this.#failure(`was not ready after ${timeoutMs / 1000} s`));
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
      // Another program may have responded in its place.
      this.#expectRunning();
    } finally {
      this.#isWaitedFor = false;
    }
  }

  #expectRunning() {
    if (this.isRunning) return;
    const failure = this.#failure(`ended with ${this.lastExit} before it was ready`);
    throw PORT_IS_TAKEN.test(tail(this.log(), 30)) ? new PortIsTaken(failure) : new PlainError(failure);
  }

  #failure(what) {
    return `${this.name} ${what}. The end of ${this.#options.logFile}:\n${tail(this.log(), 30)}`;
  }
}

/** Starts a fresh log and keeps the log of the previous run beside it. */
function openLog(logFile) {
  mkdirSync(dirname(logFile), { recursive: true });
  if (existsSync(logFile)) renameSync(logFile, logFile.replace(/\.log$/, '.previous.log'));
  return openSync(logFile, 'a');
}
