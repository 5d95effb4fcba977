import { z } from 'zod';
import {
  checkStore,
  mediaRetentionDays,
  readStorageLimits,
  readStore,
  storageLimitVariables,
  storeVariables,
} from './store-variables.js';
import {
  bool,
  commonVariables,
  count,
  forbidInProduction,
  httpUrl,
  list,
  milliseconds,
  postgresUrl,
  readCommon,
  secrets,
} from './variables.js';

const MEBIBYTE = 1024 ** 2;
const DAY_MS = 24 * 3_600_000;

export const batchWorkerConfig = z
  .object({
    ...commonVariables,
    ...storeVariables,
    ...storageLimitVariables,
    DATABASE_URL: postgresUrl,
    /** PostgreSQL connections of this worker. */
    POOL_SIZE: count.default(4),
    /** The gateway. Each line of a batch is a request to it, for the key that created the batch. */
    EDGE_URL: httpUrl,
    /** Signs the credentials of those requests. The edge verifies them. */
    BATCH_SECRET: secrets,
    /** Batches that this worker runs at the same time. */
    BATCHES_AT_ONCE: count.default(8),
    /** Lines of all its batches that this worker has at the edge at the same time. */
    LINES_AT_ONCE: count.default(64),
    /** A larger result stays at its vendor. */
    RESULT_LIMIT_BYTES: count.default(512 * MEBIBYTE),
    /** Time-out of an attempt to fetch a result. */
    RESULT_TIMEOUT_MS: milliseconds.default(600_000),
    /** Results that this worker fetches at the same time. Each takes room in its temporary folder. */
    RESULTS_AT_ONCE: count.default(4),
    /** How long fetched results are kept. */
    MEDIA_RETENTION_DAYS: mediaRetentionDays,
    /** Folder for results on their way into the store. Default: the system's temporary folder. */
    RESULT_DIRECTORY: z.string().optional(),
    /** Permits results over http and at private addresses, for development and tests. */
    RESULT_ALLOW_INSECURE: bool.default(false),
    /** Steps of batches at which the process kills itself, once. For tests of recovery. */
    FAILPOINTS: list.default([]),
  })
  .check(forbidInProduction('RESULT_ALLOW_INSECURE'), forbidInProduction('FAILPOINTS'))
  .check(checkStore)
  .transform((variables) => ({
    ...readCommon(variables),
    /** Undefined: there are no batches, because nothing is kept. */
    store: readStore(variables),
    databaseUrl: variables.DATABASE_URL,
    poolSize: variables.POOL_SIZE,
    edgeUrl: variables.EDGE_URL,
    batchSecret: variables.BATCH_SECRET[0],
    batchesAtOnce: variables.BATCHES_AT_ONCE,
    linesAtOnce: variables.LINES_AT_ONCE,
    failpoints: variables.FAILPOINTS,
    storageLimits: readStorageLimits(variables),
    results: {
      limitBytes: variables.RESULT_LIMIT_BYTES,
      timeoutMs: variables.RESULT_TIMEOUT_MS,
      concurrency: variables.RESULTS_AT_ONCE,
      retentionMs: variables.MEDIA_RETENTION_DAYS * DAY_MS,
      directory: variables.RESULT_DIRECTORY,
      allowInsecure: variables.RESULT_ALLOW_INSECURE,
    },
  }));

export type BatchWorkerConfig = z.output<typeof batchWorkerConfig>;
