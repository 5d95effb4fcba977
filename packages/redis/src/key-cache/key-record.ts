import type { AccountId, KeyId, KeyRecord } from '@gateway/contracts';
import { z } from 'zod';

const keyRecord = z.object({
  keyId: z.string().transform((id) => id as KeyId),
  accountId: z.string().transform((id) => id as AccountId),
  keySha256: z.string(),
  isTest: z.boolean(),
  isRevoked: z.boolean(),
  isAccountSuspended: z.boolean(),
  isSpendCapReached: z.boolean().default(false),
  expiresAtMs: z.number().nullable(),
  models: z.array(z.string()).nullable(),
  endpoints: z.array(z.string()).nullable(),
  requestsPerMinute: z.number(),
  concurrency: z.number(),
  allowedIps: z.array(z.string()).nullable(),
}) satisfies z.ZodType<KeyRecord>;

/** Undefined for what is not a record, such as one written by a release with other fields: it is looked up again. */
export function parseKeyRecord(text: string): KeyRecord | undefined {
  try {
    return keyRecord.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
