import { join } from 'node:path';
import { builtFile } from './build.mjs';
import { ManagedProcess } from './managed-process.mjs';
import { environmentOf, SHUTDOWN_GRACE_MS } from './services.mjs';

const PROBE_TIMEOUT_MS = 2_000;

async function answersReady(url) {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

const argumentsOf = (service, root) => ['--enable-source-maps', builtFile(`apps/${service}/dist/main.js`, root)];

/** One running instance of a service, whose ports stay the same over restarts. */
export class ServiceInstance {
  #process;
  #environment;

  /** Options: name, service, ports, system, node, logFolder, record, givenEnv, ownEnv, onUnexpectedExit. */
  constructor(options) {
    const { name, service, ports, system, node, logFolder, record, onUnexpectedExit } = options;
    this.name = name;
    this.service = service;
    this.ports = ports;
    this.url = `http://127.0.0.1:${ports.PORT}`;
    this.#environment = environmentOf(service, ports, system, options.givenEnv, options.ownEnv);
    this.#process = new ManagedProcess({
      name,
      command: node,
      args: argumentsOf(service),
      env: this.#environment,
      cwd: logFolder,
      logFile: join(logFolder, `${name}.log`),
      record,
      onUnexpectedExit,
    });
  }

  get isRunning() {
    return this.#process.isRunning;
  }

  get pid() {
    return this.#process.pid;
  }

  /** Starts it and waits until it is ready. */
  async start() {
    this.#process.start();
    await this.waitUntilReady();
  }

  /** Sets the build of its next start: the project at `root`, which may be another release. */
  useBuild(root) {
    this.#process.use({ args: argumentsOf(this.service, root) });
  }

  /** Sets additional variables for its next start. */
  useVariables(variables) {
    this.#environment = { ...this.#environment, ...variables };
    this.#process.use({ env: this.#environment });
  }

  waitUntilReady(timeoutMs) {
    return this.#process.waitUntil(() => answersReady(this.url), timeoutMs);
  }

  /** SIGTERM, as a rollout sends it. Returns `{ exit, isForced }`: forced if it exceeded its grace period. */
  stop(timeoutMs = SHUTDOWN_GRACE_MS + 4_000) {
    return this.#process.stop(timeoutMs);
  }

  /** SIGKILL, like a lost machine. */
  kill() {
    return this.#process.kill();
  }

  async restart() {
    await this.stop();
    await this.start();
  }

  suspend() {
    this.#process.suspend();
  }

  resume() {
    this.#process.resume();
  }

  log() {
    return this.#process.log();
  }
}
