/** A developer's vendor keys and base URLs. Only the workers receive them. */
const VENDOR_VARIABLE =
  /^((OPENAI|ANTHROPIC|GEMINI|DASHSCOPE|VOYAGE|ARK|XAI)_(API_KEY|BASE_URL|CHANNELS)|UPSTREAM_MODEL_OVERRIDES)$/;

/** Variables that a service inherits from the shell. This file sets all others, so that starts are repeatable. */
const INHERITED =
  /^(PATH|HOME|USER|LANG|LC_.*|TZ|TMPDIR|SSL_CERT_.*|NODE_EXTRA_CA_CERTS|LOG_LEVEL|HOST|VENDORS|OTEL_.*)$/;

/** Allows webhooks to the developer's machine. */
const DEVELOPMENT = { WEBHOOK_ALLOW_INSECURE: 'true' };

const pick = (variables, pattern) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => pattern.test(name)));

/** Sets QUEUE_REDIS_URL only if the queues have their own Redis. */
const redisVariables = ({ redisUrl, queueRedisUrl }) => ({
  REDIS_URL: redisUrl,
  ...(queueRedisUrl !== undefined && { QUEUE_REDIS_URL: queueRedisUrl }),
});

/**
 * Every service in start order. They stop in reverse order, so that the edge drains while the others still serve it.
 * `ports` maps each port variable to its preferred port. `env` receives the ports of the instance, and the addresses and
 * secrets of the system. `heapMiB` is the heap that the image has in its container, `youngMiB` its part for young objects.
 */
export const SERVICES = {
  'upstream-simulator': {
    ports: { PORT: 8090 },
    // Tests let directives wait as long as they need, and must not change when a vendor retires a model.
    env: () => ({ MAX_WAIT_MS: 'none', CATALOGUE_AT: '2026-10-15' }),
  },
  billing: {
    ports: { PORT: 8086 },
    heapMiB: 384,
    youngMiB: 8,
    env: (_ports, system) => ({
      ...redisVariables(system),
      DATABASE_URL: system.servicesDatabaseUrl,
      INTERNAL_TOKEN: system.secrets.internalToken,
      LEDGER_TOKEN: system.secrets.ledgerToken,
    }),
  },
  'sync-worker': {
    ports: { PORT: 8083 },
    heapMiB: 768,
    env: (_ports, system) => ({
      ...redisVariables(system),
      DATABASE_URL: system.servicesDatabaseUrl,
      RELAY_SECRET: system.secrets.relaySecret,
      FILE_SIGNING_SECRET: system.secrets.fileSecret,
      SIMULATOR_URL: system.simulatorUrl,
      TEST_SIMULATOR_URL: system.simulatorUrl,
      ...(system.publicUrl !== undefined && { PUBLIC_API_URL: system.publicUrl }),
      ...pick(system.shell, VENDOR_VARIABLE),
    }),
  },
  'video-worker': {
    ports: { PORT: 8084 },
    heapMiB: 384,
    env: (_ports, system) => ({
      ...DEVELOPMENT,
      ...redisVariables(system),
      DATABASE_URL: system.servicesDatabaseUrl,
      RELAY_SECRET: system.secrets.relaySecret,
      FILE_SIGNING_SECRET: system.secrets.fileSecret,
      SIMULATOR_URL: system.simulatorUrl,
      TEST_SIMULATOR_URL: system.simulatorUrl,
      ...(system.publicUrl !== undefined && { PUBLIC_API_URL: system.publicUrl }),
      ...pick(system.shell, VENDOR_VARIABLE),
    }),
  },
  'api-edge': {
    ports: { PORT: 8080, RELAY_PORT: 8081 },
    heapMiB: 576,
    env: (ports, system) => ({
      ...DEVELOPMENT,
      BATCH_SECRET: system.secrets.batchSecret,
      FILE_SIGNING_SECRET: system.secrets.fileSecret,
      CONTENT_KEYS: system.secrets.contentKey,
      RELAY_ADVERTISED_URL: `ws://127.0.0.1:${ports.RELAY_PORT}/relay`,
      RELAY_SECRET: system.secrets.relaySecret,
      ...redisVariables(system),
      DATABASE_URL: system.servicesDatabaseUrl,
      BILLING_URL: system.billingUrl,
      INTERNAL_TOKEN: system.secrets.internalToken,
    }),
  },
  'batch-worker': {
    ports: { PORT: 8087 },
    heapMiB: 576,
    env: (_ports, system) => ({
      RESULT_ALLOW_INSECURE: 'true',
      DATABASE_URL: system.servicesDatabaseUrl,
      EDGE_URL: system.baseUrl,
      BATCH_SECRET: system.secrets.batchSecret,
    }),
  },
  accounts: {
    ports: { PORT: 8082 },
    heapMiB: 384,
    youngMiB: 4,
    env: (_ports, system) => ({
      ...DEVELOPMENT,
      ...redisVariables(system),
      DATABASE_URL: system.accountsDatabaseUrl,
      BILLING_URL: system.billingUrl,
      LEDGER_TOKEN: system.secrets.ledgerToken,
      ADMIN_TOKEN: system.secrets.adminToken,
      FILE_SIGNING_SECRET: system.secrets.fileSecret,
      CONTENT_KEYS: system.secrets.contentKey,
      ...(system.baseUrl !== undefined && { PUBLIC_API_URL: system.baseUrl }),
    }),
  },
  'mcp-server': {
    ports: { PORT: 8085 },
    heapMiB: 576,
    env: (_ports, system) => ({ EDGE_URL: system.baseUrl, ACCOUNT_URL: system.accountUrl }),
  },
};

/** glibc's heap: `infra/docker/Dockerfile` says why. */
const MALLOC = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '4194304', MALLOC_TRIM_THRESHOLD_: '33554432' };

/** As in the image: V8 collects by the size of its heap, so a developer measures what an operator gets. */
export function memoryVariables(service) {
  const { heapMiB, youngMiB = 16 } = SERVICES[service];
  const heap = heapMiB === undefined ? [] : [`--max-old-space-size=${heapMiB}`];
  return { NODE_OPTIONS: [`--max-semi-space-size=${youngMiB}`, ...heap].join(' '), ...MALLOC };
}

/** Time that a service has to drain. The launcher sends SIGKILL a few seconds later. */
export const SHUTDOWN_GRACE_MS = 8_000;

/** Builds the environment of one instance. `given` overrides the defaults, and `own` overrides both. */
export function serviceEnvironment(service, ports, system, given = {}, own = {}) {
  return {
    NODE_ENV: 'development',
    LOG_LEVEL: 'info',
    HOST: '127.0.0.1',
    SHUTDOWN_GRACE_MS: String(SHUTDOWN_GRACE_MS),
    ...pick(system.shell, INHERITED),
    ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
    ...SERVICES[service].env(ports, system),
    ...given,
    ...own,
  };
}
