import { z } from 'zod';
import { channelVariables, readChannels, readTestChannels, requireChannelPerVendor } from './channels.js';
import { readRedis, redisVariables } from './redis-variables.js';
import { readTracing, tracingVariables } from './tracing-variables.js';
import {
  commonVariables,
  count,
  forbidInProduction,
  json,
  milliseconds,
  readCommon,
  secrets,
  vendors,
} from './variables.js';

export const syncWorkerConfig = z
  .object({
    ...commonVariables,
    ...redisVariables,
    ...tracingVariables,
    ...channelVariables,
    RELAY_SECRET: secrets,
    /** Seals interaction ids, which outlive a rotation of the relay secret. Default: `RELAY_SECRET`. */
    INTERACTION_SECRET: secrets.optional(),
    /** The vendors whose queues this worker serves. */
    VENDORS: vendors,
    /** Concurrent requests of each vendor in this worker. */
    WORKER_CONCURRENCY: count.default(512),
    /** Concurrent requests of test keys in this worker, of all vendors together. */
    TEST_CONCURRENCY: count.default(16),
    /** `{"<public model id>": "<upstream model name>"}`, for a vendor that renamed a model. */
    UPSTREAM_MODEL_OVERRIDES: json(z.record(z.string(), z.string())).default({}),
    UPSTREAM_HEADERS_TIMEOUT_MS: milliseconds.default(600_000),
    STREAM_IDLE_TIMEOUT_MS: milliseconds.default(120_000),
    /** Folder for settlements that Redis did not accept. Default: they are not spooled. */
    SPOOL_DIRECTORY: z.string().optional(),
  })
  .check(forbidInProduction('SIMULATOR_URL'))
  .check(requireChannelPerVendor)
  .transform((variables) => ({
    ...readCommon(variables),
    tracing: readTracing(variables),
    ...readRedis(variables),
    relaySecret: variables.RELAY_SECRET[0],
    interactionSecrets: variables.INTERACTION_SECRET ?? variables.RELAY_SECRET,
    vendors: variables.VENDORS,
    channels: variables.VENDORS.flatMap((vendor) => readChannels(vendor, variables)),
    testChannels: variables.VENDORS.flatMap((vendor) => readTestChannels(vendor, variables)),
    workerConcurrency: variables.WORKER_CONCURRENCY,
    testConcurrency: variables.TEST_CONCURRENCY,
    upstreamModelOverrides: variables.UPSTREAM_MODEL_OVERRIDES,
    upstreamHeadersTimeoutMs: variables.UPSTREAM_HEADERS_TIMEOUT_MS,
    streamIdleTimeoutMs: variables.STREAM_IDLE_TIMEOUT_MS,
    spoolDirectory: variables.SPOOL_DIRECTORY,
  }));

export type SyncWorkerConfig = z.output<typeof syncWorkerConfig>;
