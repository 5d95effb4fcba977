import { z } from 'zod';
import { commonVariables, postgresUrl, redisUrl, secret } from './variables.js';

export const billingConfig = z
  .object({
    ...commonVariables,
    REDIS_URL: redisUrl,
    DATABASE_URL: postgresUrl,
    INTERNAL_TOKEN: secret,
    ADMIN_TOKEN: secret,
  })
  .transform((variables) => ({
    nodeEnv: variables.NODE_ENV,
    logLevel: variables.LOG_LEVEL,
    host: variables.HOST,
    port: variables.PORT,
    shutdownGraceMs: variables.SHUTDOWN_GRACE_MS,
    redisUrl: variables.REDIS_URL,
    databaseUrl: variables.DATABASE_URL,
    internalToken: variables.INTERNAL_TOKEN,
    adminToken: variables.ADMIN_TOKEN,
  }));

export type BillingConfig = z.output<typeof billingConfig>;
