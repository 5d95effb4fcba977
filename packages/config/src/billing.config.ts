import { z } from 'zod';
import { readRedis, redisVariables } from './redis-variables.js';
import {
  catalogueAt,
  commonVariables,
  count,
  forbidInProduction,
  operatorVariables,
  postgresUrl,
  readCommon,
  requireOperatorPort,
  secret,
  secrets,
  trustedProxies,
  vendors,
} from './variables.js';
import { webhookAddressVariables, webhookSecretVariables } from './webhook-variables.js';

export const billingConfig = z
  .object({
    ...commonVariables,
    ...operatorVariables,
    ...redisVariables,
    ...webhookAddressVariables,
    ...webhookSecretVariables,
    DATABASE_URL: postgresUrl,
    INTERNAL_TOKEN: secrets,
    ADMIN_TOKEN: secret,
    /** The connected vendors. Models of other vendors have no quote. */
    VENDORS: vendors,
    CATALOGUE_AT: catalogueAt,
    /** Escrow that was idle for this long returns to the customer's free balance. */
    ESCROW_IDLE_SECONDS: count.default(900),
    TRUSTED_PROXIES: trustedProxies,
  })
  .check(forbidInProduction('WEBHOOK_ALLOW_INSECURE'), requireOperatorPort)
  .transform((variables) => ({
    ...readCommon(variables),
    opsPort: variables.OPS_PORT,
    ...readRedis(variables),
    databaseUrl: variables.DATABASE_URL,
    internalTokens: variables.INTERNAL_TOKEN,
    adminToken: variables.ADMIN_TOKEN,
    vendors: variables.VENDORS,
    catalogueAtMs: variables.CATALOGUE_AT,
    escrowIdleMs: variables.ESCROW_IDLE_SECONDS * 1_000,
    webhookAllowInsecure: variables.WEBHOOK_ALLOW_INSECURE,
    webhookSecretKeys: variables.WEBHOOK_SECRET_KEYS,
    trustedProxies: variables.TRUSTED_PROXIES,
  }));

export type BillingConfig = z.output<typeof billingConfig>;
