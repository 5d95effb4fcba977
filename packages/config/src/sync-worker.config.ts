import { z } from 'zod';
import {
  channelVariables,
  readChannels,
  readTestChannels,
  requireChannelPerVendor,
  requireUniqueChannels,
} from './channels.js';
import { readRedis, redisVariables } from './redis-variables.js';
import { checkStore, readStore, storeVariables } from './store-variables.js';
import { readTracing, tracingVariables } from './tracing-variables.js';
import {
  commonVariables,
  count,
  forbidInProduction,
  httpUrl,
  json,
  list,
  milliseconds,
  postgresUrl,
  readCommon,
  secrets,
  vendors,
} from './variables.js';

const MEBIBYTE = 1024 * 1024;

export const syncWorkerConfig = z
  .object({
    ...commonVariables,
    ...redisVariables,
    ...tracingVariables,
    ...channelVariables,
    ...storeVariables,
    /** Only for kept results, whose requests are rows. */
    DATABASE_URL: postgresUrl.optional(),
    /** PostgreSQL connections of this worker for requests whose results are kept. */
    REQUEST_POOL_SIZE: count.default(4),
    /** Bytes of running streams in Redis, for clients that attach again: of all accounts, and of one. */
    LIVE_STREAM_BYTES: count.default(256 * MEBIBYTE),
    LIVE_STREAM_ACCOUNT_BYTES: count.default(32 * MEBIBYTE),
    RELAY_SECRET: secrets,
    /** Seals interaction ids, which outlive a rotation of the relay secret. Default: `RELAY_SECRET`. */
    INTERACTION_SECRET: secrets.optional(),
    /** The gateway's public address. With it and a store, images that vendors answer by address are kept. */
    PUBLIC_API_URL: httpUrl.optional(),
    /** Signs those addresses, as the edge does. Default: `RELAY_SECRET`. */
    FILE_SIGNING_SECRET: secrets.optional(),
    /** The vendors whose queues this worker serves. */
    VENDORS: vendors,
    /** Concurrent requests of each vendor in this worker. */
    WORKER_CONCURRENCY: count.default(512),
    /** Concurrent requests of test keys in this worker, of all vendors together. */
    TEST_CONCURRENCY: count.default(16),
    /** Bytes of long replies that this worker has at once. Default: a fifth of its memory. */
    REPLY_ROOM_BYTES: count.optional(),
    /** `{"<public model id>": "<upstream model name>"}`, for a vendor that renamed a model. */
    UPSTREAM_MODEL_OVERRIDES: json(z.record(z.string(), z.string())).default({}),
    UPSTREAM_HEADERS_TIMEOUT_MS: milliseconds.default(600_000),
    STREAM_IDLE_TIMEOUT_MS: milliseconds.default(120_000),
    /** Folder for settlements that Redis did not accept. Default: they are not spooled. */
    SPOOL_DIRECTORY: z.string().optional(),
    /** Steps of kept requests at which the process kills itself, once. For tests of recovery. */
    FAILPOINTS: list.default([]),
  })
  .check(forbidInProduction('SIMULATOR_URL'), forbidInProduction('FAILPOINTS'))
  .check(requireChannelPerVendor, requireUniqueChannels, checkStore)
  .refine(
    ({ DATABASE_URL, STORE_DIRECTORY, STORE_S3_BUCKET }) =>
      DATABASE_URL !== undefined || (STORE_DIRECTORY ?? STORE_S3_BUCKET) === undefined,
    { path: ['DATABASE_URL'], error: 'must be set to keep results', when: () => true },
  )
  .transform((variables) => ({
    ...readCommon(variables),
    tracing: readTracing(variables),
    ...readRedis(variables),
    store: readStore(variables),
    databaseUrl: variables.DATABASE_URL,
    requestPoolSize: variables.REQUEST_POOL_SIZE,
    liveLimits: { bytes: variables.LIVE_STREAM_BYTES, accountBytes: variables.LIVE_STREAM_ACCOUNT_BYTES },
    relaySecret: variables.RELAY_SECRET[0],
    interactionSecrets: variables.INTERACTION_SECRET ?? variables.RELAY_SECRET,
    publicApiUrl: variables.PUBLIC_API_URL,
    fileSigningSecrets: variables.FILE_SIGNING_SECRET ?? variables.RELAY_SECRET,
    vendors: variables.VENDORS,
    channels: variables.VENDORS.flatMap((vendor) => readChannels(vendor, variables)),
    testChannels: variables.VENDORS.flatMap((vendor) => readTestChannels(vendor, variables)),
    workerConcurrency: variables.WORKER_CONCURRENCY,
    testConcurrency: variables.TEST_CONCURRENCY,
    replyRoomBytes: variables.REPLY_ROOM_BYTES,
    upstreamModelOverrides: variables.UPSTREAM_MODEL_OVERRIDES,
    upstreamHeadersTimeoutMs: variables.UPSTREAM_HEADERS_TIMEOUT_MS,
    streamIdleTimeoutMs: variables.STREAM_IDLE_TIMEOUT_MS,
    spoolDirectory: variables.SPOOL_DIRECTORY,
    failpoints: variables.FAILPOINTS,
  }));

export type SyncWorkerConfig = z.output<typeof syncWorkerConfig>;
