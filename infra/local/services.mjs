/** A developer's own vendor keys and base addresses, which only workers that call vendors receive. */
const VENDOR_VARIABLE =
  /^((OPENAI|ANTHROPIC|GEMINI|DASHSCOPE|VOYAGE|ARK|XAI)_(API_KEY|BASE_URL|CHANNELS)|UPSTREAM_MODEL_OVERRIDES)$/;

/** Variables that a service may inherit from the shell; all others are set here, so that a start is repeatable. */
const INHERITED =
  /^(PATH|HOME|USER|LANG|LC_.*|TZ|TMPDIR|SSL_CERT_.*|NODE_EXTRA_CA_CERTS|LOG_LEVEL|HOST|VENDORS|OTEL_.*)$/;

/** Webhooks to the developer's own machine. */
const DEVELOPMENT = { WEBHOOK_ALLOW_INSECURE: 'true' };

const pick = (variables, pattern) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => pattern.test(name)));

/** The address of the queues is set only where they are separate. */
const redisOf = ({ redisUrl, queueRedisUrl }) => ({
  REDIS_URL: redisUrl,
  ...(queueRedisUrl !== undefined && { QUEUE_REDIS_URL: queueRedisUrl }),
});

/**
 * Every service in start order. They stop in reverse order, so that the edge drains its clients while the others still
 * serve it. `ports` are the variables with the preferred port of each instance. `env` receives the instance's ports and
 * the system's addresses and secrets.
 */
export const SERVICES = {
  'upstream-simulator': {
    ports: { PORT: 8090 },
    env: () => ({}),
  },
  billing: {
    ports: { PORT: 8082 },
    env: (_ports, system) => ({
      ...DEVELOPMENT,
      ...redisOf(system),
      DATABASE_URL: system.servicesDatabaseUrl,
      INTERNAL_TOKEN: system.secrets.internalToken,
      ADMIN_TOKEN: system.secrets.adminToken,
    }),
  },
  'sync-worker': {
    ports: { PORT: 8083 },
    env: (_ports, system) => ({
      ...redisOf(system),
      RELAY_SECRET: system.secrets.relaySecret,
      SIMULATOR_URL: system.simulatorUrl,
      TEST_SIMULATOR_URL: system.simulatorUrl,
      ...pick(system.shell, VENDOR_VARIABLE),
    }),
  },
  'video-worker': {
    ports: { PORT: 8084 },
    env: (_ports, system) => ({
      ...DEVELOPMENT,
      ...redisOf(system),
      DATABASE_URL: system.servicesDatabaseUrl,
      RELAY_SECRET: system.secrets.relaySecret,
      SIMULATOR_URL: system.simulatorUrl,
      TEST_SIMULATOR_URL: system.simulatorUrl,
      ...pick(system.shell, VENDOR_VARIABLE),
    }),
  },
  'api-edge': {
    ports: { PORT: 8080, RELAY_PORT: 8081 },
    env: (ports, system) => ({
      ...DEVELOPMENT,
      RELAY_ADVERTISED_URL: `ws://127.0.0.1:${ports.RELAY_PORT}/relay`,
      RELAY_SECRET: system.secrets.relaySecret,
      ...redisOf(system),
      DATABASE_URL: system.servicesDatabaseUrl,
      BILLING_URL: system.accountUrl,
      INTERNAL_TOKEN: system.secrets.internalToken,
    }),
  },
  'mcp-server': {
    ports: { PORT: 8085 },
    env: (_ports, system) => ({ EDGE_URL: system.baseUrl, ACCOUNT_URL: system.accountUrl }),
  },
};

/** The time for a service to drain; the launcher waits a little longer before it kills it. */
export const SHUTDOWN_GRACE_MS = 8_000;

/** The whole environment of one instance: `given` and then `own` override the values set here. */
export function environmentOf(service, ports, system, given = {}, own = {}) {
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
