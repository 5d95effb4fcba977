import { z } from 'zod';
import { count, json, list, milliseconds } from './variables.js';

const SEAL_KEY_BYTES = 32;

/** Comma-separated keys of 32 bytes in base64. The first seals, all of them open. */
const sealKeys = list
  .default([])
  .transform((keys) => keys.map((key) => Buffer.from(key, 'base64')))
  .refine((keys) => keys.every((key) => key.length === SEAL_KEY_BYTES), 'must be keys of 32 bytes in base64');

/** What every service that handles webhook addresses has. */
export const webhookAddressVariables = {
  /**
   * Lets webhooks go to http, to any port and to addresses of this machine: for development and tests. In production no
   * customer's address may lead into our own network.
   */
  WEBHOOK_ALLOW_INSECURE: z.stringbool('must be true or false').default(false),
};

/** What the services that sign webhooks, or tell their secrets, have besides. */
export const webhookSecretVariables = {
  /** Encrypts signing secrets in the database; without it they lie there as they are. */
  WEBHOOK_SECRET_KEYS: sealKeys,
};

const FIVE_DAYS_MS = 5 * 24 * 60 * 60 * 1_000;

/** What the service that sends webhooks has besides. */
export const webhookSendingVariables = {
  ...webhookAddressVariables,
  ...webhookSecretVariables,
  /** For one attempt, answer and body included. */
  WEBHOOK_TIMEOUT_MS: milliseconds.default(15_000),
  /** Attempts that one worker makes at the same time. */
  WEBHOOK_CONCURRENCY: count.default(64),
  /** Attempts of one account at the same time, by all workers together: at one host, and anywhere. */
  WEBHOOK_HOST_CONCURRENCY: count.default(4),
  WEBHOOK_ACCOUNT_CONCURRENCY: count.default(16),
  /** JSON list of the waits between attempts; the schedule of the documentation if not set. */
  WEBHOOK_RETRY_DELAYS_MS: json(z.array(z.int().min(0)).min(1)).optional(),
  /** How often Postgres is asked what is due, besides after hints. */
  WEBHOOK_POLL_EVERY_MS: milliseconds.default(1_000),
  /** An endpoint with nothing but failures for so long, and at least so many of them, is disabled. */
  WEBHOOK_DISABLE_AFTER_MS: milliseconds.default(FIVE_DAYS_MS),
  WEBHOOK_DISABLE_AFTER_FAILURES: count.default(10),
  /** How long events and the log of their deliveries are kept. */
  EVENT_RETENTION_DAYS: count.default(30),
};

type Sending = z.output<z.ZodObject<typeof webhookSendingVariables>>;

/** The settings of sending, by the names that code uses. */
export const readWebhookSending = (variables: Sending) => ({
  allowInsecure: variables.WEBHOOK_ALLOW_INSECURE,
  secretKeys: variables.WEBHOOK_SECRET_KEYS,
  timeoutMs: variables.WEBHOOK_TIMEOUT_MS,
  concurrency: variables.WEBHOOK_CONCURRENCY,
  hostConcurrency: variables.WEBHOOK_HOST_CONCURRENCY,
  accountConcurrency: variables.WEBHOOK_ACCOUNT_CONCURRENCY,
  retryDelaysMs: variables.WEBHOOK_RETRY_DELAYS_MS,
  pollEveryMs: variables.WEBHOOK_POLL_EVERY_MS,
  disableAfterMs: variables.WEBHOOK_DISABLE_AFTER_MS,
  disableAfterFailures: variables.WEBHOOK_DISABLE_AFTER_FAILURES,
  keepEventsDays: variables.EVENT_RETENTION_DAYS,
});
