import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { PlainError, PortIsTaken } from './print.mjs';
import { tail } from './run-command.mjs';
import { signalGroup } from './signal-group.mjs';

/** Node's words, those of Redis and PostgreSQL, and Docker's. */
const PORT_IS_TAKEN = /EADDRINUSE|address already in use|port is already allocated/i;

const running = new Set();

// The last net under a launcher that ends without stopping what it started: it cannot wait here, only send signals.
process.on('exit', () => {
  for (const child of running) child.abandon();
});

/**
 * One child process in a group of its own (so that a Ctrl-C at the terminal reaches only the launcher, which then
 * stops everything in order), with its output in a log file and its pid in the run record.
 */
export class ManagedProcess {
  #options;
  #child;
  #exit;
  #isExitExpected = false;
  #isWaitedFor = false;

  /**
   * `options`: name, command, args, env, cwd, logFile, record; optional uid and gid; stopSignal (SIGTERM) asks for an
   * orderly end; abandonSignal is sent if the launcher itself ends; onUnexpectedExit(process) is called for any other end that
   * no caller awaits.
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

  /** From its next start on: other `args`, or another `env`. */
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

  /** Asks for an orderly end; after `timeoutMs` the process is killed. Gives back how it ended and whether by force. */
  async stop(timeoutMs = 20_000) {
    if (!this.isRunning) return { exit: this.lastExit, isForced: false };
    let isForced = false;
    const force = setTimeout(() => {
      isForced = true;
      this.#signal('SIGKILL');
    }, timeoutMs);
    this.#isExitExpected = true;
    this.#signal(this.#options.stopSignal);
    // A frozen process handles no other signal.
    this.#signal('SIGCONT');
    await this.#exit;
    clearTimeout(force);
    return { exit: this.lastExit, isForced };
  }

  /** The end that no process can prepare for. */
  async kill() {
    if (!this.isRunning) return;
    this.#isExitExpected = true;
    this.#signal('SIGKILL');
    await this.#exit;
  }

  /** Freezes the process: it keeps its sockets and answers nothing, as a machine that hangs. */
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
   * Waits until `isReady()` answers true; a process that ends first, or takes too long, is an error with its log, and
   * PortIsTaken if that is why it ended.
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
      // Somebody else may have answered in its place.
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

/** Starts a fresh log and keeps the one of the run before beside it. */
function openLog(logFile) {
  mkdirSync(dirname(logFile), { recursive: true });
  if (existsSync(logFile)) renameSync(logFile, logFile.replace(/\.log$/, '.previous.log'));
  return openSync(logFile, 'a');
}
