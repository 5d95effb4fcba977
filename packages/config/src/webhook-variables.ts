import { z } from 'zod';
import { bool, count, json, list, longMilliseconds, milliseconds } from './variables.js';

const SEAL_KEY_BYTES = 32;

/** Comma-separated keys of 32 bytes in base64. The first key seals; every key opens. */
export const sealKeys = list
  .default([])
  .transform((keys) => keys.map((key) => Buffer.from(key, 'base64')))
  .refine(
    (keys) => keys.every((key) => key.length === SEAL_KEY_BYTES),
    'must be comma-separated keys of 32 bytes in base64',
  );

/** The variables of every service that handles webhook URLs. */
export const webhookAddressVariables = {
  /**
   * Permits webhooks over http, to any port and to private addresses, for development and tests. In production a
   * customer's URL must not lead into our network.
   */
  WEBHOOK_ALLOW_INSECURE: bool.default(false),
};

/** The variables of services that read signing secrets. */
export const webhookSecretVariables = {
  /** Encrypts signing secrets in the database. Without a key, in development only, they are stored in plain text. */
  WEBHOOK_SECRET_KEYS: sealKeys,
};

/** `accounts` writes the signing secrets. A secret of Kubernetes with an empty value must not mean plain text. */
export const requireSealKeys = z.refine<{
  readonly NODE_ENV: string;
  readonly WEBHOOK_SECRET_KEYS: readonly unknown[];
}>((variables) => variables.NODE_ENV !== 'production' || variables.WEBHOOK_SECRET_KEYS.length > 0, {
  path: ['WEBHOOK_SECRET_KEYS'],
  error: 'must be set in production',
  when: () => true,
});

const FIVE_DAYS_MS = 5 * 24 * 60 * 60 * 1_000;

/** The variables of the service that sends webhooks. */
export const webhookSendingVariables = {
  ...webhookAddressVariables,
  ...webhookSecretVariables,
  /** Time-out of one attempt, with the response body. */
  WEBHOOK_TIMEOUT_MS: milliseconds.default(15_000),
  /** Concurrent attempts of one worker. */
  WEBHOOK_CONCURRENCY: count.default(64),
  /** Concurrent attempts of one account by all workers: to one host, and to all hosts. */
  WEBHOOK_HOST_CONCURRENCY: count.default(4),
  WEBHOOK_ACCOUNT_CONCURRENCY: count.default(16),
  /** JSON list of the delays between attempts. Default: the schedule in the documentation. */
  WEBHOOK_RETRY_DELAYS_MS: json(z.array(z.int().min(0)).min(1)).optional(),
  /** How often PostgreSQL is polled for due deliveries. Notifications trigger a poll too. */
  WEBHOOK_POLL_EVERY_MS: milliseconds.default(1_000),
  /** An endpoint is disabled after this time of failures only, with at least this many failures. */
  WEBHOOK_DISABLE_AFTER_MS: longMilliseconds.default(FIVE_DAYS_MS),
  WEBHOOK_DISABLE_AFTER_FAILURES: count.default(10),
  /** How long events and their delivery log are stored. */
  EVENT_RETENTION_DAYS: count.default(30),
};

type WebhookSendingVariables = z.output<z.ZodObject<typeof webhookSendingVariables>>;

/** The settings of the service that sends webhooks. */
export const readWebhookSending = (variables: WebhookSendingVariables) => ({
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
