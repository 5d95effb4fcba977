import { z } from 'zod';
import {
  channelVariables,
  readChannels,
  readTestChannels,
  requireChannelPerVendor,
  requireUniqueChannels,
} from './channels.js';
import { readRedis, redisVariables } from './redis-variables.js';
import { keepsResults, storeVariables } from './store-variables.js';
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
  subsetOf,
  vendors,
} from './variables.js';
import { readWebhookSending, webhookSendingVariables } from './webhook-variables.js';

/** The stages of a worker: submit tasks, poll them, notify customers. A deployment may run them in separate workers. */
const VIDEO_STAGES = ['submit', 'poll', 'notify'] as const;

/** The vendors with video models. */
const VIDEO_VENDORS = 'dashscope,ark,xai';

export const videoWorkerConfig = z
  .object({
    ...commonVariables,
    ...redisVariables,
    ...channelVariables,
    ...tracingVariables,
    ...webhookSendingVariables,
    DATABASE_URL: postgresUrl,
    RELAY_SECRET: secrets,
    STAGES: subsetOf(VIDEO_STAGES),
    /** The vendors whose queues this worker serves. */
    VENDORS: vendors.prefault(VIDEO_VENDORS),
    /** Concurrent submissions of each vendor in this worker. */
    SUBMIT_CONCURRENCY: count.default(64),
    /** Concurrent submissions of test keys in this worker, of all vendors together. */
    TEST_CONCURRENCY: count.default(16),
    /** Bytes of submissions above 1 MiB that this worker has at once. Default: a sixth of its memory beyond 160 MiB. */
    SUBMISSION_ROOM_BYTES: count.optional(),
    /** Concurrent polls of each vendor in this worker. */
    POLL_CONCURRENCY: count.default(64),
    /** Connections to PostgreSQL. */
    POOL_SIZE: count.default(8),
    /** `{"<public model id>": "<upstream model name>"}`, for a vendor that renamed a model. */
    UPSTREAM_MODEL_OVERRIDES: json(z.record(z.string(), z.string())).default({}),
    /** Time-out of a submission. A submission is sent once, so a long time-out is better than a short one. */
    SUBMIT_TIMEOUT_MS: milliseconds.default(60_000),
    POLL_TIMEOUT_MS: milliseconds.default(15_000),
    /** Poll rate of each channel over all workers: `{"dashscope": 20}`. */
    POLLS_PER_SECOND: json(z.record(z.string(), z.number().positive())).default({}),
    POLL_FASTEST_MS: milliseconds.default(1_000),
    POLL_SLOWEST_MS: milliseconds.default(30_000),
    SWEEP_EVERY_MS: milliseconds.default(5_000),
    /** A task that its upstream does not know fails after this time, and after several polls. */
    UNKNOWN_AFTER_MS: milliseconds.default(120_000),
    /** The deadline of a task. Default: the deadline of its model. */
    TASK_DEADLINE_SECONDS: count.optional(),
    /** Folder for settlements that Redis did not accept. Default: they are not spooled. */
    SPOOL_DIRECTORY: z.string().optional(),
    /** The gateway's public address. With it and a store, results are kept and have addresses of the gateway. */
    PUBLIC_API_URL: httpUrl.optional(),
    /** Where the other services keep results. This one only asks whether they do, and opens neither. */
    STORE_DIRECTORY: storeVariables.STORE_DIRECTORY,
    STORE_S3_BUCKET: storeVariables.STORE_S3_BUCKET,
    /** Signs those addresses, as the edge does. Default: `RELAY_SECRET`. */
    FILE_SIGNING_SECRET: secrets.optional(),
    /** Steps at which the process kills itself, once. For tests of recovery. */
    FAILPOINTS: list.default([]),
  })
  .check(
    forbidInProduction('SIMULATOR_URL'),
    forbidInProduction('FAILPOINTS'),
    forbidInProduction('WEBHOOK_ALLOW_INSECURE'),
  )
  .check((given) => {
    // A worker that only notifies customers needs no vendor.
    if (given.value.STAGES.some((stage) => stage !== 'notify')) requireChannelPerVendor(given);
  }, requireUniqueChannels)
  .transform((variables) => ({
    ...readCommon(variables),
    ...readRedis(variables),
    databaseUrl: variables.DATABASE_URL,
    relaySecret: variables.RELAY_SECRET[0],
    stages: variables.STAGES,
    vendors: variables.VENDORS,
    channels: variables.VENDORS.flatMap((vendor) => readChannels(vendor, variables)),
    testChannels: variables.VENDORS.flatMap((vendor) => readTestChannels(vendor, variables)),
    submitConcurrency: variables.SUBMIT_CONCURRENCY,
    testConcurrency: variables.TEST_CONCURRENCY,
    submissionRoomBytes: variables.SUBMISSION_ROOM_BYTES,
    pollConcurrency: variables.POLL_CONCURRENCY,
    poolSize: variables.POOL_SIZE,
    upstreamModelOverrides: variables.UPSTREAM_MODEL_OVERRIDES,
    submitTimeoutMs: variables.SUBMIT_TIMEOUT_MS,
    pollTimeoutMs: variables.POLL_TIMEOUT_MS,
    pollsPerSecond: variables.POLLS_PER_SECOND,
    pollFastestMs: variables.POLL_FASTEST_MS,
    pollSlowestMs: variables.POLL_SLOWEST_MS,
    sweepEveryMs: variables.SWEEP_EVERY_MS,
    unknownAfterMs: variables.UNKNOWN_AFTER_MS,
    taskDeadlineSeconds: variables.TASK_DEADLINE_SECONDS,
    spoolDirectory: variables.SPOOL_DIRECTORY,
    publicApiUrl: variables.PUBLIC_API_URL,
    keepsResults: keepsResults(variables),
    fileSigningSecrets: variables.FILE_SIGNING_SECRET ?? variables.RELAY_SECRET,
    failpoints: variables.FAILPOINTS,
    tracing: readTracing(variables),
    webhooks: readWebhookSending(variables),
  }));

export type VideoWorkerConfig = z.output<typeof videoWorkerConfig>;
