import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRole, dropDatabase, dropRole, ensureDatabase, siblingDatabaseUrl } from './database.mjs';
import { migrate, seed } from './database-setup.mjs';
import { reserveRandomPort, retryOnTakenPort } from './ports.mjs';
import { startRedis } from './redis.mjs';
import { startRedisCluster } from './redis-cluster.mjs';
import { RunRecord } from './run-record.mjs';
import { newSecrets } from './secrets.mjs';
import { ServiceInstance } from './service-instance.mjs';
import { SERVICES } from './services.mjs';

const PREFERRED_REDIS_PORT = 6380;

/** A running system. `startStack` creates it, and `stop()` stops everything in it. */
class Stack {
  instances = new Map();
  redis;
  redisCluster;
  queueRedis;
  demo;
  #options;
  #cleanUps = [];
  #roles;
  #edgePorts;

  constructor(options) {
    this.#options = options;
    this.folder = options.folder;
    this.system = { secrets: options.secrets, shell: options.shell, simulatorUrl: options.simulatorUrl };
  }

  get apiKey() {
    return this.demo?.apiKey;
  }
  get secrets() {
    return this.system.secrets;
  }
  get adminToken() {
    return this.system.secrets.adminToken;
  }
  get databaseUrl() {
    return this.system.databaseUrl;
  }
  get redisUrl() {
    return this.system.redisUrl;
  }
  get queueRedisUrl() {
    return this.system.queueRedisUrl;
  }
  get simulatorUrl() {
    return this.system.simulatorUrl;
  }
  get billingUrl() {
    return this.system.billingUrl;
  }
  get accountUrl() {
    return this.system.accountUrl;
  }
  get baseUrl() {
    return this.system.baseUrl;
  }
  get mcpUrl() {
    const server = this.instances.get('mcp-server');
    return server === undefined ? undefined : `${server.url}/mcp`;
  }

  onStop(cleanUp) {
    this.#cleanUps.push(cleanUp);
  }

  async openDatabase() {
    const { databaseUrl, ownsDatabase, restrictServices } = this.#options;
    this.system.databaseUrl = databaseUrl;
    this.#connectServices(databaseUrl);
    if (!ownsDatabase) return;
    const name = `stack_${randomBytes(6).toString('hex')}`;
    this.system.databaseUrl = siblingDatabaseUrl(databaseUrl, name);
    this.#connectServices(this.databaseUrl);
    if (restrictServices) await this.#createRoles(name);
    await ensureDatabase(this.databaseUrl, this.#options.databaseTemplate);
    this.onStop(() => dropDatabase(this.databaseUrl));
  }

  #connectServices(databaseUrl, accountsDatabaseUrl = databaseUrl) {
    Object.assign(this.system, { servicesDatabaseUrl: databaseUrl, accountsDatabaseUrl });
  }

  async #createRoles(name) {
    this.#roles = { services: name, accounts: `${name}_accounts` };
    const urls = [];
    for (const role of Object.values(this.#roles)) {
      urls.push(await createRole(this.databaseUrl, role));
      this.onStop(() => dropRole(this.databaseUrl, role));
    }
    this.#connectServices(...urls);
  }

  async openRedis(note) {
    const { redisUrl, queueRedisUrl, hasQueueRedis, hasRedisCluster } = this.#options;
    this.system.redisUrl = redisUrl;
    this.system.queueRedisUrl = queueRedisUrl;
    if (hasRedisCluster) {
      await this.#startRedisCluster();
    } else if (redisUrl === undefined) {
      this.redis = await this.#startRedis('redis', note);
      this.system.redisUrl = this.redis.url;
    }
    if (hasQueueRedis) {
      this.queueRedis = await this.#startRedis('queue-redis', note);
      this.system.queueRedisUrl = this.queueRedis.url;
    }
  }

  async #startRedisCluster() {
    const { folder, record, onUnexpectedExit } = this.#options;
    const clusterFolder = join(folder, 'redis-cluster');
    this.redisCluster = await startRedisCluster({ replicas: 1, folder: clusterFolder, record, onUnexpectedExit });
    this.system.redisUrl = this.redisCluster.url;
    this.onStop(() => this.redisCluster.stop());
  }

  async #startRedis(name, note) {
    const { folder, logFolder, record, onUnexpectedExit, takePort, ownsDatabase: isThrowaway } = this.#options;
    const redis = await retryOnTakenPort(async () => {
      const port = await takePort(PREFERRED_REDIS_PORT);
      const logFile = join(logFolder, `${name}.log`);
      const place = { name, port, folder: join(folder, name), logFile, isThrowaway };
      return startRedis({ ...place, record, onUnexpectedExit }, note);
    });
    this.onStop(() => redis.stop());
    return redis;
  }

  async fillDatabase() {
    const { node, hasDemo, demoFile, ownsDatabase, databaseTemplate } = this.#options;
    const isCopied = ownsDatabase && databaseTemplate !== undefined;
    if (!isCopied || this.#roles !== undefined) {
      await migrate({ node, databaseUrl: this.databaseUrl, roles: this.#roles });
    }
    if (hasDemo) this.demo = await seed({ node, system: this.system, file: demoFile });
  }

  /**
   * Chooses the ports of the first edge before any service starts: the video worker names the edge in the addresses of
   * files, which batch-worker fetches.
   */
  async planEdge() {
    this.#edgePorts = await this.#takePorts('api-edge');
    this.system.publicUrl = `http://127.0.0.1:${this.#edgePorts.PORT}`;
  }

  async #takePorts(service) {
    const ports = {};
    for (const [variable, preferred] of Object.entries(SERVICES[service].ports))
      ports[variable] = await this.#options.takePort(preferred);
    return ports;
  }

  /** The planned ports serve once: another program may have taken them before the edge listened. */
  async #portsOf(service) {
    const planned = service === 'api-edge' ? this.#edgePorts : undefined;
    if (planned !== undefined) this.#edgePorts = undefined;
    return planned ?? this.#takePorts(service);
  }

  /** Starts another copy of a service and waits until it is ready. Copies are named `service`, `service-2`, … */
  async add(service, env = {}) {
    const copies = [...this.instances.values()].filter((instance) => instance.service === service).length;
    const name = copies === 0 ? service : `${service}-${copies + 1}`;
    const instance = await retryOnTakenPort(() => this.#start(name, service, env));
    if (service === 'upstream-simulator') this.system.simulatorUrl ??= instance.url;
    if (service === 'billing') this.system.billingUrl ??= instance.url;
    if (service === 'accounts') this.system.accountUrl ??= instance.url;
    if (service === 'api-edge') this.system.baseUrl ??= instance.url;
    return instance;
  }

  async #start(name, service, env) {
    const { logFolder, record, node, onUnexpectedExit } = this.#options;
    const ports = await this.#portsOf(service);
    const instance = new ServiceInstance({
      name,
      service,
      ports,
      system: this.system,
      node,
      logFolder,
      record,
      onUnexpectedExit,
      // Below this folder: a folder in /tmp may belong to another user of the machine.
      givenEnv: {
        ...(service === 'api-edge' && { UPLOAD_DIRECTORY: join(this.folder, 'uploads') }),
        ...(['api-edge', 'sync-worker', 'video-worker', 'batch-worker'].includes(service) && {
          STORE_DIRECTORY: join(this.folder, 'store'),
        }),
        ...(service === 'batch-worker' && { RESULT_DIRECTORY: join(this.folder, 'results') }),
        ...this.#options.commonEnv,
        ...this.#options.env[service],
      },
      ownEnv: { SPOOL_DIRECTORY: join(this.folder, 'spool', name), ...env },
    });
    // Registered before the start, so that stop() also covers an instance that never becomes ready.
    this.instances.set(name, instance);
    await instance.start();
    return instance;
  }

  /** Returns an instance by name: `sync-worker`, `sync-worker-2`, … */
  instance(name) {
    const instance = this.instances.get(name);
    if (instance === undefined)
      throw new Error(`this stack has no instance ${name}, only ${[...this.instances.keys()].join(', ')}`);
    return instance;
  }

  /** Stops the services, the newest first, then the stores. */
  async stop(onStopped = () => {}) {
    const running = [...this.instances.values()].filter((instance) => instance.isRunning).reverse();
    for (const instance of running) onStopped(instance, await instance.stop());
    for (const cleanUp of this.#cleanUps.splice(0).reverse()) await cleanUp();
  }
}

function withDefaults(options) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'gateway-stack-'));
  return {
    folder,
    isTemporary: options.folder === undefined,
    logFolder: join(folder, 'logs'),
    record: new RunRecord(process.env.GATEWAY_RUN_RECORD ?? join(folder, 'run')),
    node: process.execPath,
    shell: { PATH: process.env.PATH, HOME: process.env.HOME },
    secrets: newSecrets(),
    databaseUrl: process.env.TEST_DATABASE_URL,
    databaseTemplate: process.env.TEST_DATABASE_TEMPLATE,
    ownsDatabase: true,
    hasDemo: false,
    restrictServices: false,
    takePort: reserveRandomPort,
    services: Object.keys(SERVICES),
    hasQueueRedis: false,
    hasRedisCluster: false,
    commonEnv: {},
    env: {},
    onUnexpectedExit: () => {},
    step: (_name, work) => work(() => {}),
    ...options,
  };
}

/**
 * Starts a system: its own Redis, its own database on the server at `databaseUrl` with migrations and seed, then each
 * service in order. stack.d.mts documents the options. If a step fails, everything stops.
 */
export async function startStack(givenOptions = {}) {
  const options = withDefaults(givenOptions);
  const { step } = options;
  if (options.databaseUrl === undefined)
    throw new Error('startStack needs the option databaseUrl or the variable TEST_DATABASE_URL');
  mkdirSync(options.logFolder, { recursive: true });
  const stack = new Stack(options);
  if (options.isTemporary) stack.onStop(() => rmSync(options.folder, { recursive: true, force: true }));
  try {
    await step('Redis', (note) => stack.openRedis(note));
    await step('Database', async () => {
      await stack.openDatabase();
      await stack.fillDatabase();
    });
    // Only batch-worker fetches results: without it, their addresses stay the vendors'.
    if (options.services.includes('api-edge') && options.services.includes('batch-worker')) await stack.planEdge();
    for (const service of options.services) {
      const isReplaced = service === 'upstream-simulator' && options.simulatorUrl !== undefined;
      if (!isReplaced) await step(service, async (note) => note((await stack.add(service)).url));
    }
    return stack;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}
