import { z } from 'zod';
import { checkStore, readStore, storeVariables } from './store-variables.js';
import { commonVariables, count, httpUrl, postgresUrl, readCommon, secrets } from './variables.js';

export const batchWorkerConfig = z
  .object({
    ...commonVariables,
    ...storeVariables,
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
  })
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
  }));

export type BatchWorkerConfig = z.output<typeof batchWorkerConfig>;
