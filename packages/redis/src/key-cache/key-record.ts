import {
  type AccountId,
  CAP_MEASURES,
  CAP_PERIODS,
  KEY_SCOPES,
  type KeyId,
  type KeyRecord,
  UNITS,
} from '@gateway/contracts';
import { z } from 'zod';

const digits = z.string().regex(/^-?\d+$/);

const unitPrices = z.partialRecord(z.enum(UNITS), z.string());

const priceOverride = z.object({
  id: z.string(),
  model: z.string(),
  fromMs: z.number(),
  perMillion: unitPrices.nullable(),
  longPromptPerMillion: unitPrices.exactOptional(),
});

const limits = z.object({ requestsPerMinute: z.number().nullable(), concurrency: z.number().nullable() });

const cappedPeriod = z.object({
  ownerId: z.string(),
  period: z.enum(CAP_PERIODS),
  startsAtMs: z.number(),
  endsAtMs: z.number().nullable(),
  nextEndsAtMs: z.number().nullable(),
  requests: digits,
  tokens: digits,
  cost: digits,
  version: digits,
  caps: z.array(z.object({ measure: z.enum(CAP_MEASURES), limit: digits, hard: z.boolean() })),
});

const keyRecord = z.object({
  keyId: z.string().transform((id) => id as KeyId),
  accountId: z.string().transform((id) => id as AccountId),
  keySha256: z.string(),
  isTest: z.boolean(),
  isRevoked: z.boolean(),
  isAccountSuspended: z.boolean(),
  spendCap: z
    .object({
      capNanoUsd: digits,
      spendingKeyId: z.string().transform((id) => id as KeyId),
      spentNanoUsd: digits,
      version: digits,
    })
    .nullable(),
  cappedPeriods: z.array(cappedPeriod).exactOptional(),
  expiresAtMs: z.number().nullable(),
  models: z.array(z.string()).nullable(),
  endpoints: z.array(z.string()).nullable(),
  keyLimits: limits,
  accountLimits: limits,
  parentLimits: z
    .array(z.object({ keyId: z.string().transform((id) => id as KeyId), concurrency: z.number() }))
    .exactOptional(),
  allowedIps: z.array(z.string()).nullable(),
  scopes: z.array(z.enum(KEY_SCOPES)),
  keepsContents: z.literal(true).exactOptional(),
  priceOverrides: z.array(priceOverride).exactOptional(),
}) satisfies z.ZodType<KeyRecord>;

/** Undefined for anything else, such as the record of a release with other fields: the caller reads the authority. */
export function parseKeyRecord(text: string): KeyRecord | undefined {
  try {
    return keyRecord.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
