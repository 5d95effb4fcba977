import { z } from 'zod';
import { mailVariables, readMail, requireMailAddress } from './mail-variables.js';
import { readRedis, redisVariables } from './redis-variables.js';
import {
  mediaRetentionDays,
  readStorageLimits,
  resultRetentionHours,
  storageLimitVariables,
} from './store-variables.js';
import {
  catalogueAt,
  chargeInputSeconds,
  commonVariables,
  count,
  forbidInProduction,
  httpUrl,
  operatorVariables,
  postgresUrl,
  readCommon,
  requireOperatorPort,
  secret,
  secrets,
  trustedProxies,
  vendors,
} from './variables.js';
import { requireSealKeys, sealKeys, webhookAddressVariables, webhookSecretVariables } from './webhook-variables.js';

export const accountsConfig = z
  .object({
    ...commonVariables,
    ...operatorVariables,
    ...redisVariables,
    ...webhookAddressVariables,
    ...webhookSecretVariables,
    ...mailVariables,
    /** As of the edge and of batch-worker: what accounts may keep, and how long. Shown to customers. */
    ...storageLimitVariables,
    RESULT_RETENTION_HOURS: resultRetentionHours,
    MEDIA_RETENTION_DAYS: mediaRetentionDays,
    DATABASE_URL: postgresUrl,
    BILLING_URL: httpUrl,
    /** Sent to billing. Only this service may credit accounts. */
    LEDGER_TOKEN: secrets,
    ADMIN_TOKEN: secret,
    /** The connected vendors. Models of other vendors have no quote. */
    VENDORS: vendors,
    CATALOGUE_AT: catalogueAt,
    CHARGE_INPUT_SECONDS: chargeInputSeconds,
    TRUSTED_PROXIES: trustedProxies,
    /** Requests of one address without a valid session or key, and to unknown paths. */
    REFUSALS_PER_SECOND: count.default(20),
    /** The address of the edge as customers' programs reach it, without `/v1`. The console shows it. */
    PUBLIC_API_URL: httpUrl.default('http://localhost:8080'),
    /** The same of the MCP server, with its path. Unset: the console shows none. */
    PUBLIC_MCP_URL: httpUrl.optional(),
    /** Prometheus with the rules of `infra/alerts`. Unset: the service checks what its own data can answer. */
    PROMETHEUS_URL: httpUrl.optional(),
    /** Signs addresses of files, as the edges do. Unset: files have no address. */
    FILE_SIGNING_SECRET: secrets.optional(),
    /** Master keys of kept prompts and answers, as of the edges. Empty: none are kept. */
    CONTENT_KEYS: sealKeys,
  })
  .check(forbidInProduction('WEBHOOK_ALLOW_INSECURE'), requireOperatorPort, requireMailAddress, requireSealKeys)
  .transform((variables) => ({
    ...readCommon(variables),
    opsPort: variables.OPS_PORT,
    ...readRedis(variables),
    ...readMail(variables),
    databaseUrl: variables.DATABASE_URL,
    billingUrl: variables.BILLING_URL,
    ledgerToken: variables.LEDGER_TOKEN[0],
    adminToken: variables.ADMIN_TOKEN,
    vendors: variables.VENDORS,
    catalogueAtMs: variables.CATALOGUE_AT,
    chargesInputSeconds: variables.CHARGE_INPUT_SECONDS,
    webhookAllowInsecure: variables.WEBHOOK_ALLOW_INSECURE,
    webhookSecretKeys: variables.WEBHOOK_SECRET_KEYS,
    trustedProxies: variables.TRUSTED_PROXIES,
    refusalsPerSecond: variables.REFUSALS_PER_SECOND,
    publicApiUrl: variables.PUBLIC_API_URL,
    publicMcpUrl: variables.PUBLIC_MCP_URL,
    prometheusUrl: variables.PROMETHEUS_URL,
    storage: {
      limits: readStorageLimits(variables),
      mediaRetentionDays: variables.MEDIA_RETENTION_DAYS,
      resultRetentionHours: variables.RESULT_RETENTION_HOURS,
    },
    fileSigningSecrets: variables.FILE_SIGNING_SECRET,
    contentKeys: variables.CONTENT_KEYS,
  }));

export type AccountsConfig = z.output<typeof accountsConfig>;
