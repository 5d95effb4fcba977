import { z } from 'zod';
import { redisOf, redisVariables } from './redis-variables.js';
import { commonVariables, count, postgresUrl, secret, secrets, vendors } from './variables.js';
import {
  refuseInsecureWebhooksInProduction,
  webhookAddressVariables,
  webhookSecretVariables,
} from './webhook-variables.js';

export const billingConfig = z
  .object({
    ...commonVariables,
    ...redisVariables,
    ...webhookAddressVariables,
    ...webhookSecretVariables,
    DATABASE_URL: postgresUrl,
    INTERNAL_TOKEN: secrets,
    ADMIN_TOKEN: secret,
    /** The vendors that are connected: a model of another one has no quote. */
    VENDORS: vendors,
    /** An account that has not used its escrow for so long gets it back as free balance. */
    ESCROW_IDLE_SECONDS: count.default(900),
    /** Addresses or CIDR blocks of the proxies before this service whose `x-forwarded-for` is believed; nobody's if not set. */
    TRUSTED_PROXIES: z.string().optional(),
  })
  .check(refuseInsecureWebhooksInProduction)
  .transform((variables) => ({
    nodeEnv: variables.NODE_ENV,
    logLevel: variables.LOG_LEVEL,
    host: variables.HOST,
    port: variables.PORT,
    shutdownGraceMs: variables.SHUTDOWN_GRACE_MS,
    ...redisOf(variables),
    databaseUrl: variables.DATABASE_URL,
    internalTokens: variables.INTERNAL_TOKEN,
    adminToken: variables.ADMIN_TOKEN,
    vendors: variables.VENDORS,
    escrowIdleMs: variables.ESCROW_IDLE_SECONDS * 1_000,
    webhookAllowInsecure: variables.WEBHOOK_ALLOW_INSECURE,
    webhookSecretKeys: variables.WEBHOOK_SECRET_KEYS,
    trustedProxies: variables.TRUSTED_PROXIES?.split(',').map((proxy) => proxy.trim()),
  }));

export type BillingConfig = z.output<typeof billingConfig>;
