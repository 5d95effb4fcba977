import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { PlainError, PortTakenError } from './print.mjs';
import { tail } from './run-command.mjs';
import { signalGroup } from './signal-group.mjs';

/** The error texts of Node, Redis, PostgreSQL and Docker. */
const PORT_TAKEN_PATTERN = /EADDRINUSE|address already in use|port is already allocated/i;

const running = new Set();

// Backstop for a launcher that exits without stopping its processes. An exit handler cannot wait, only send signals.
process.on('exit', () => {
  for (const child of running) child.abandon();
});

/**
 * One child process with its own process group, log file and entry in the run record. Because of the group, a Ctrl-C at
 * the terminal reaches only the launcher, which then stops everything in order.
 */
export class ManagedProcess {
  #options;
  #child;
  #exit;
  #isExitExpected = false;
  #isAwaited = false;

  /**
   * `options`: name, command, args, env, cwd, logFile, record, and optionally uid and gid. `stop()` sends stopSignal
   * (default SIGTERM). If the launcher exits first, it sends abandonSignal (default SIGKILL). onUnexpectedExit(process) is
   * called for any other exit that no caller awaits.
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

  /** Changes options such as `args` or `env` from the next start on. */
  configure(changed) {
    this.#options = { ...this.#options, ...changed };
  }

  /** Exit of the last run: `code 1`, `signal SIGKILL`. */
  lastExit = 'not started';

  start() {
    if (this.isRunning) throw new Error(`${this.name} is already running`);
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
    if (!this.#isExitExpected && !this.#isAwaited) this.#options.onUnexpectedExit(this);
  }

  /** Sends stopSignal, and SIGKILL after `timeoutMs`. Returns `{ exit, isForced }`. */
  async stop(timeoutMs = 20_000) {
    if (!this.isRunning) return { exit: this.lastExit, isForced: false };
    let isForced = false;
    const force = setTimeout(() => {
      isForced = true;
      this.#signal('SIGKILL');
    }, timeoutMs);
    this.#isExitExpected = true;
    this.#signal(this.#options.stopSignal);
    // A suspended process handles other signals only after SIGCONT.
    this.#signal('SIGCONT');
    await this.#exit;
    clearTimeout(force);
    return { exit: this.lastExit, isForced };
  }

  /** Sends SIGKILL and waits for the exit. */
  async kill() {
    if (!this.isRunning) return;
    this.#isExitExpected = true;
    this.#signal('SIGKILL');
    await this.#exit;
  }

  /** Freezes the process like a machine that hangs: its sockets stay open, and it sends nothing. */
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
   * Waits until `isReady()` returns true. Throws PortTakenError if the process exits because its port is taken, and
   * PlainError with the end of its log if it exits or times out.
   */
  async waitUntil(isReady, timeoutMs = 60_000) {
    const deadlineMs = Date.now() + timeoutMs;
    this.#isAwaited = true;
    try {
      while (!(await isReady())) {
        this.#expectRunning();
        if (Date.now() > deadlineMs) throw new PlainError(this.#failure(`was not ready within ${timeoutMs / 1000} s`));
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
      // Another program on the port may have replied instead.
      this.#expectRunning();
    } finally {
      this.#isAwaited = false;
    }
  }

  #expectRunning() {
    if (this.isRunning) return;
    const failure = this.#failure(`exited with ${this.lastExit} before it was ready`);
    throw PORT_TAKEN_PATTERN.test(tail(this.log(), 30)) ? new PortTakenError(failure) : new PlainError(failure);
  }

  #failure(reason) {
    return `${this.name} ${reason}. Last lines of ${this.#options.logFile}:\n${tail(this.log(), 30)}`;
  }
}

/** Opens a new log. The previous log stays beside it as `.previous.log`. */
function openLog(logFile) {
  mkdirSync(dirname(logFile), { recursive: true });
  if (existsSync(logFile)) renameSync(logFile, logFile.replace(/\.log$/, '.previous.log'));
  return openSync(logFile, 'a');
}
