import { z } from 'zod';
import { channelVariables, readChannels, readTestChannels, requireChannelPerVendor } from './channels.js';
import { readRedis, redisVariables } from './redis-variables.js';
import { readTracing, tracingVariables } from './tracing-variables.js';
import {
  commonVariables,
  count,
  forbidInProduction,
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

/** What a worker may do: take tasks to their upstreams, ask how they are, tell customers. One of them may run apart. */
const VIDEO_STAGES = ['submit', 'poll', 'notify'] as const;

/** The vendors that make videos. */
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
    /** Submissions of each vendor that this worker runs at the same time. */
    SUBMIT_CONCURRENCY: count.default(64),
    /** Looks at tasks of each vendor that this worker takes at the same time. */
    POLL_CONCURRENCY: count.default(64),
    /** Connections to Postgres. */
    POOL_SIZE: count.default(8),
    /** `{"<public model id>": "<the upstream's name>"}`: vendors retire names, public ids stay. */
    UPSTREAM_MODEL_OVERRIDES: json(z.record(z.string(), z.string())).default({}),
    /** How long an upstream may take to say that it has a task. It is asked once, so better too long than too short. */
    SUBMIT_TIMEOUT_MS: milliseconds.default(60_000),
    POLL_TIMEOUT_MS: milliseconds.default(15_000),
    /** How often a channel is asked how its tasks are, by all workers together: `{"dashscope": 20}`. */
    POLLS_PER_SECOND: json(z.record(z.string(), z.number().positive())).default({}),
    POLL_FASTEST_MS: milliseconds.default(1_000),
    POLL_SLOWEST_MS: milliseconds.default(30_000),
    SWEEP_EVERY_MS: milliseconds.default(5_000),
    /** A task that its upstream does not know is given up after so long, and not before several looks. */
    UNKNOWN_AFTER_MS: milliseconds.default(120_000),
    /** When a task is given up, in the place of what its model says. */
    TASK_DEADLINE_SECONDS: count.optional(),
    /** Where settlements wait that Redis did not take. */
    SPOOL_DIRECTORY: z.string().optional(),
    /** Steps at which the process kills itself, once: for tests of what is left then. */
    FAILPOINTS: list.default([]),
  })
  .check(
    forbidInProduction('SIMULATOR_URL'),
    forbidInProduction('FAILPOINTS'),
    forbidInProduction('WEBHOOK_ALLOW_INSECURE'),
  )
  .check((given) => {
    // Who only tells customers asks no vendor.
    if (given.value.STAGES.some((stage) => stage !== 'notify')) requireChannelPerVendor(given);
  })
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
    failpoints: variables.FAILPOINTS,
    tracing: readTracing(variables),
    webhooks: readWebhookSending(variables),
  }));

export type VideoWorkerConfig = z.output<typeof videoWorkerConfig>;
