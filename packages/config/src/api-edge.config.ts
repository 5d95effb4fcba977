import { z } from 'zod';
import { readRedis, redisVariables } from './redis-variables.js';
import {
  checkStore,
  readStorageLimits,
  readStore,
  resultRetentionHours,
  storageLimitVariables,
  storeVariables,
} from './store-variables.js';
import { readTracing, tracingVariables } from './tracing-variables.js';
import {
  catalogueAt,
  chargeInputSeconds,
  commonVariables,
  count,
  forbidInProduction,
  httpUrl,
  milliseconds,
  operatorVariables,
  port,
  postgresUrl,
  readCommon,
  relayUrl,
  requireOperatorPort,
  secrets,
  trustedProxies,
  vendors,
} from './variables.js';
import { sealKeys, webhookAddressVariables } from './webhook-variables.js';

const GIBIBYTE = 1024 ** 3;
const HOUR_MS = 3_600_000;

export const apiEdgeConfig = z
  .object({
    ...commonVariables,
    ...operatorVariables,
    ...redisVariables,
    ...tracingVariables,
    ...webhookAddressVariables,
    ...storeVariables,
    ...storageLimitVariables,
    /** Time for a worker to take a request whose result is kept, and for its response to begin. */
    KEPT_REQUEST_DEADLINE_MS: milliseconds.default(3_600_000),
    /** How long body and response of such a request are kept. */
    RESULT_RETENTION_HOURS: resultRetentionHours,
    /** Signs addresses of files. Default: `RELAY_SECRET`. */
    FILE_SIGNING_SECRET: secrets.optional(),
    /** Seal the keys of accounts whose keys keep prompts and answers. Empty: none are kept. */
    CONTENT_KEYS: sealKeys,
    RELAY_PORT: port,
    /** The URL by which workers reach the relay of this process. */
    RELAY_ADVERTISED_URL: relayUrl,
    RELAY_SECRET: secrets,
    /** Verifies the credentials with which a batch-worker sends the lines of a batch. */
    BATCH_SECRET: secrets,
    DATABASE_URL: postgresUrl,
    BILLING_URL: httpUrl,
    INTERNAL_TOKEN: secrets,
    /** The connected vendors. Models of other vendors are unknown to this edge. */
    VENDORS: vendors,
    CATALOGUE_AT: catalogueAt,
    CHARGE_INPUT_SECONDS: chargeInputSeconds,
    TRUSTED_PROXIES: trustedProxies,
    /** PostgreSQL connections for requests that read video tasks or wait for them. */
    TASK_POOL_SIZE: count.default(4),
    SYNC_DEADLINE_MS: milliseconds.default(600_000),
    ACCEPT_TIMEOUT_MS: milliseconds.default(10_000),
    SLOW_CLIENT_TIMEOUT_MS: milliseconds.default(60_000),
    HEARTBEAT_MS: milliseconds.default(15_000),
    /** Limits of an account over all its keys; an administrator may set others for an account. */
    ACCOUNT_REQUESTS_PER_MINUTE: count.default(600),
    ACCOUNT_CONCURRENCY: count.default(50),
    /** The lease of one concurrent request. An edge that died occupies it until the lease expires. */
    LEASE_MS: milliseconds
      .min(3_000, 'must be at least 3000, because leases are renewed at most once a second')
      .default(60_000),
    /** The lease of an `Idempotency-Key`. A retry waits this long after an edge died. */
    IDEMPOTENCY_LEASE_MS: milliseconds.default(30_000),
    /** Folder for settlements that Redis did not accept. Default: they are not spooled. */
    SPOOL_DIRECTORY: z.string().optional(),
    /** Folder for uploaded files of running requests. Default: the system's temporary folder. */
    UPLOAD_DIRECTORY: z.string().optional(),
    /** Room in memory for the bodies of requests. Default: two fifths of the container's memory. */
    BODY_ROOM_BYTES: count.optional(),
    /** Room on disk for uploaded files: below the size of the volume at `UPLOAD_DIRECTORY`. */
    UPLOAD_ROOM_BYTES: count.default(3 * GIBIBYTE),
    /** Refused requests (400, 402, 413, 429) of one key that an edge answers, over a longer time. An address has four times as many, and as many without a valid key. */
    REFUSALS_PER_SECOND: count.default(20),
    /** Requests of one account that run no model, and preflights and pages of one address, over a longer time. */
    READS_PER_SECOND: count.default(100),
    /** Lookups of API keys that do not exist, of one address. */
    UNKNOWN_KEYS_PER_SECOND: count.default(5),
  })
  .check(forbidInProduction('WEBHOOK_ALLOW_INSECURE'), requireOperatorPort, checkStore)
  .transform((variables) => ({
    ...readCommon(variables),
    opsPort: variables.OPS_PORT,
    tracing: readTracing(variables),
    relayPort: variables.RELAY_PORT,
    relayAdvertisedUrl: variables.RELAY_ADVERTISED_URL,
    relaySecrets: variables.RELAY_SECRET,
    batchSecrets: variables.BATCH_SECRET,
    ...readRedis(variables),
    databaseUrl: variables.DATABASE_URL,
    billingUrl: variables.BILLING_URL,
    internalToken: variables.INTERNAL_TOKEN[0],
    vendors: variables.VENDORS,
    catalogueAtMs: variables.CATALOGUE_AT,
    chargesInputSeconds: variables.CHARGE_INPUT_SECONDS,
    trustedProxies: variables.TRUSTED_PROXIES,
    taskPoolSize: variables.TASK_POOL_SIZE,
    store: readStore(variables),
    keptRequestDeadlineMs: variables.KEPT_REQUEST_DEADLINE_MS,
    resultRetentionMs: variables.RESULT_RETENTION_HOURS * HOUR_MS,
    storageLimits: readStorageLimits(variables),
    fileSigningSecrets: variables.FILE_SIGNING_SECRET ?? variables.RELAY_SECRET,
    contentKeys: variables.CONTENT_KEYS,
    syncDeadlineMs: variables.SYNC_DEADLINE_MS,
    responseLimits: {
      acceptTimeoutMs: variables.ACCEPT_TIMEOUT_MS,
      slowClientTimeoutMs: variables.SLOW_CLIENT_TIMEOUT_MS,
      heartbeatMs: variables.HEARTBEAT_MS,
    },
    defaultAccountLimits: {
      requestsPerMinute: variables.ACCOUNT_REQUESTS_PER_MINUTE,
      concurrency: variables.ACCOUNT_CONCURRENCY,
    },
    leaseMs: variables.LEASE_MS,
    idempotencyLeaseMs: variables.IDEMPOTENCY_LEASE_MS,
    spoolDirectory: variables.SPOOL_DIRECTORY,
    uploadDirectory: variables.UPLOAD_DIRECTORY,
    bodyRoomBytes: variables.BODY_ROOM_BYTES,
    uploadRoomBytes: variables.UPLOAD_ROOM_BYTES,
    refusalsPerSecond: variables.REFUSALS_PER_SECOND,
    readsPerSecond: variables.READS_PER_SECOND,
    unknownKeysPerSecond: variables.UNKNOWN_KEYS_PER_SECOND,
    webhookAllowInsecure: variables.WEBHOOK_ALLOW_INSECURE,
  }));

export type ApiEdgeConfig = z.output<typeof apiEdgeConfig>;
