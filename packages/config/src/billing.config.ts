import { z } from 'zod';
import { readRedis, redisVariables } from './redis-variables.js';
import { commonVariables, count, postgresUrl, readCommon, secrets } from './variables.js';

export const billingConfig = z
  .object({
    ...commonVariables,
    ...redisVariables,
    DATABASE_URL: postgresUrl,
    /** Admits the edges, which ask for escrow. */
    INTERNAL_TOKEN: secrets,
    /** Admits `accounts`, which credits and reverses for administrators. */
    LEDGER_TOKEN: secrets,
    /** Escrow that was idle for this long returns to the customer's free balance. */
    ESCROW_IDLE_SECONDS: count.default(900),
  })
  .transform((variables) => ({
    ...readCommon(variables),
    ...readRedis(variables),
    databaseUrl: variables.DATABASE_URL,
    internalTokens: variables.INTERNAL_TOKEN,
    ledgerTokens: variables.LEDGER_TOKEN,
    escrowIdleMs: variables.ESCROW_IDLE_SECONDS * 1_000,
  }));

export type BillingConfig = z.output<typeof billingConfig>;
