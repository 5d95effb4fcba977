import { z } from 'zod';
import { channelsOf, channelVariables, testChannelsOf } from './channels.js';
import { redisOf, redisVariables } from './redis-variables.js';
import { tracingOf, tracingVariables } from './tracing.js';
import { commonVariables, count, json, milliseconds, secrets, vendors } from './variables.js';

export const syncWorkerConfig = z
  .object({
    ...commonVariables,
    ...redisVariables,
    ...tracingVariables,
    ...channelVariables,
    RELAY_SECRET: secrets,
    /** Seals the ids of interactions, which live longer than a relay secret has to; that one if it is not set. */
    INTERACTION_SECRET: secrets.optional(),
    /** The vendors whose queues this worker serves. */
    VENDORS: vendors,
    /** Requests of each vendor that this worker runs at the same time. */
    WORKER_CONCURRENCY: count.default(512),
    /** `{"<public model id>": "<the upstream's name>"}`: vendors retire names, public ids stay. */
    UPSTREAM_MODEL_OVERRIDES: json(z.record(z.string(), z.string())).default({}),
    UPSTREAM_HEADERS_TIMEOUT_MS: milliseconds.default(600_000),
    STREAM_IDLE_TIMEOUT_MS: milliseconds.default(120_000),
    /** Where settlements wait that Redis did not take. */
    SPOOL_DIRECTORY: z.string().optional(),
  })
  .refine(({ NODE_ENV, SIMULATOR_URL }) => NODE_ENV !== 'production' || SIMULATOR_URL === undefined, {
    path: ['SIMULATOR_URL'],
    error: 'must not be set in production',
    // Also where other variables are wrong: whoever reads the message sees all of it.
    when: () => true,
  })
  .check(({ value, issues }) => {
    for (const vendor of value.VENDORS) {
      if (channelsOf(vendor, value).length > 0) continue;
      const path = [`${vendor.toUpperCase()}_API_KEY`];
      issues.push({ code: 'custom', path, message: `must be set, or ${vendor} left out of VENDORS`, input: undefined });
    }
  })
  .transform((variables) => ({
    nodeEnv: variables.NODE_ENV,
    logLevel: variables.LOG_LEVEL,
    host: variables.HOST,
    port: variables.PORT,
    shutdownGraceMs: variables.SHUTDOWN_GRACE_MS,
    tracing: tracingOf(variables),
    ...redisOf(variables),
    relaySecret: variables.RELAY_SECRET[0],
    interactionSecrets: variables.INTERACTION_SECRET ?? variables.RELAY_SECRET,
    vendors: variables.VENDORS,
    channels: variables.VENDORS.flatMap((vendor) => channelsOf(vendor, variables)),
    testChannels: variables.VENDORS.flatMap((vendor) => testChannelsOf(vendor, variables)),
    workerConcurrency: variables.WORKER_CONCURRENCY,
    upstreamModelOverrides: variables.UPSTREAM_MODEL_OVERRIDES,
    upstreamHeadersTimeoutMs: variables.UPSTREAM_HEADERS_TIMEOUT_MS,
    streamIdleTimeoutMs: variables.STREAM_IDLE_TIMEOUT_MS,
    spoolDirectory: variables.SPOOL_DIRECTORY,
  }));

export type SyncWorkerConfig = z.output<typeof syncWorkerConfig>;
