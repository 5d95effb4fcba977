import { z } from 'zod';
import { readRedis, redisVariables } from './redis-variables.js';
import { readTracing, tracingVariables } from './tracing-variables.js';
import {
  commonVariables,
  count,
  forbidInProduction,
  httpUrl,
  milliseconds,
  port,
  postgresUrl,
  readCommon,
  relayUrl,
  secrets,
  trustedProxies,
  vendors,
} from './variables.js';
import { webhookAddressVariables } from './webhook-variables.js';

export const apiEdgeConfig = z
  .object({
    ...commonVariables,
    ...redisVariables,
    ...tracingVariables,
    ...webhookAddressVariables,
    RELAY_PORT: port,
    /** How workers reach this very process. */
    RELAY_ADVERTISED_URL: relayUrl,
    RELAY_SECRET: secrets,
    DATABASE_URL: postgresUrl,
    BILLING_URL: httpUrl,
    INTERNAL_TOKEN: secrets,
    /** Vendors that are connected: the models of the others do not exist here. */
    VENDORS: vendors,
    TRUSTED_PROXIES: trustedProxies,
    /** Connections to Postgres for those who ask for video tasks or wait for them. */
    TASK_POOL_SIZE: count.default(4),
    SYNC_DEADLINE_MS: milliseconds.default(600_000),
    ACCEPT_TIMEOUT_MS: milliseconds.default(10_000),
    SLOW_CLIENT_TIMEOUT_MS: milliseconds.default(60_000),
    HEARTBEAT_MS: milliseconds.default(15_000),
    /** How long a place among a key's concurrent requests lives without renewal: so long an edge that died keeps it. */
    LEASE_MS: milliseconds
      .min(3_000, 'must be at least 3000: leases are renewed once a second at most')
      .default(60_000),
    /** How long an `Idempotency-Key` waits for an edge that has died. */
    IDEMPOTENCY_LEASE_MS: milliseconds.default(30_000),
    /** Where settlements wait that Redis did not take. */
    SPOOL_DIRECTORY: z.string().optional(),
    /** Where uploaded files lie while their requests run; the system's temporary folder if not set. */
    UPLOAD_DIRECTORY: z.string().optional(),
  })
  .check(forbidInProduction('WEBHOOK_ALLOW_INSECURE'))
  .transform((variables) => ({
    ...readCommon(variables),
    tracing: readTracing(variables),
    relayPort: variables.RELAY_PORT,
    relayAdvertisedUrl: variables.RELAY_ADVERTISED_URL,
    relaySecrets: variables.RELAY_SECRET,
    ...readRedis(variables),
    databaseUrl: variables.DATABASE_URL,
    billingUrl: variables.BILLING_URL,
    internalToken: variables.INTERNAL_TOKEN[0],
    vendors: variables.VENDORS,
    trustedProxies: variables.TRUSTED_PROXIES,
    taskPoolSize: variables.TASK_POOL_SIZE,
    syncDeadlineMs: variables.SYNC_DEADLINE_MS,
    answerLimits: {
      acceptTimeoutMs: variables.ACCEPT_TIMEOUT_MS,
      slowClientTimeoutMs: variables.SLOW_CLIENT_TIMEOUT_MS,
      heartbeatMs: variables.HEARTBEAT_MS,
    },
    leaseMs: variables.LEASE_MS,
    idempotencyLeaseMs: variables.IDEMPOTENCY_LEASE_MS,
    spoolDirectory: variables.SPOOL_DIRECTORY,
    uploadDirectory: variables.UPLOAD_DIRECTORY,
    webhookAllowInsecure: variables.WEBHOOK_ALLOW_INSECURE,
  }));

export type ApiEdgeConfig = z.output<typeof apiEdgeConfig>;
