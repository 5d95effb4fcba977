import { parseUsd } from '@gateway/money';
import { z } from 'zod';

/** Above every honest amount and far below what a BIGINT of nano-USD can hold. */
const LARGEST_USD = 1_000_000;

/** A decimal string of USD with at most nine decimals, as nano-USD. */
export const usd = z
  .string('must be a decimal string of USD such as "4.998213"')
  .regex(/^-?\d{1,7}(\.\d{1,9})?$/, 'must be a decimal string of USD such as "4.998213"')
  .transform((decimal) => parseUsd(decimal))
  .refine((amount) => amount <= parseUsd(`${LARGEST_USD}`), `must be at most ${LARGEST_USD}`);

export const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time such as 2026-11-21T12:00:00Z' })
  .transform((text) => new Date(text));

/** The page of a list: `limit` and the `next_cursor` of the page before. */
export const page = {
  limit: z.coerce.number('must be a number').int().min(1).max(200).default(50),
  cursor: z.string().max(128).optional(),
};
