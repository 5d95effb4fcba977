import { join } from 'node:path';
import { builtFile } from './build.mjs';
import { ManagedProcess } from './managed-process.mjs';
import { localFolder } from './project-paths.mjs';
import { memoryVariables, SHUTDOWN_GRACE_MS, serviceEnvironment } from './services.mjs';

const PROBE_TIMEOUT_MS = 2_000;

async function isServiceReady(url) {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Node keeps compiled code here: a service starts in a fifth less time. */
const COMPILE_CACHE = join(localFolder, 'compile-cache');

const nodeArgs = (service, root) => ['--enable-source-maps', builtFile(`apps/${service}/dist/bundle/main.js`, root)];

/** One copy of a service. Its ports stay the same over restarts. */
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
    const memory = memoryVariables(service);
    const environment = serviceEnvironment(service, ports, system, options.givenEnv, options.ownEnv);
    this.#environment = {
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...memory,
      ...environment,
      // Options that a test gives are added: the service keeps its memory.
      NODE_OPTIONS: [memory.NODE_OPTIONS, environment.NODE_OPTIONS].filter(Boolean).join(' '),
    };
    this.#process = new ManagedProcess({
      name,
      command: node,
      args: nodeArgs(service),
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

  /** Starts the process and waits until `/readyz` returns 200. */
  async start() {
    this.#process.start();
    await this.waitUntilReady();
  }

  /** From the next start on, runs the build in the project at `root`, which may be another release. */
  useBuild(root) {
    this.#process.configure({ args: nodeArgs(this.service, root) });
  }

  /** From the next start on, adds these environment variables. */
  useVariables(variables) {
    this.#environment = { ...this.#environment, ...variables };
    this.#process.configure({ env: this.#environment });
  }

  waitUntilReady(timeoutMs) {
    return this.#process.waitUntil(() => isServiceReady(this.url), timeoutMs);
  }

  /** Sends SIGTERM like a rollout, and SIGKILL after `timeoutMs`. Returns `{ exit, isForced }`. */
  stop(timeoutMs = SHUTDOWN_GRACE_MS + 4_000) {
    return this.#process.stop(timeoutMs);
  }

  /** Sends SIGKILL, like a lost machine. */
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
