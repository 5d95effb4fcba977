import { parseUsd } from '@gateway/money';
import { z } from 'zod';

/** Above every honest amount and far below what a BIGINT of nano-USD can hold. */
const LARGEST_USD = 1_000_000;

const MOST_LINES = 200;
const PAGE_SIZE = `must be a whole number from 1 to ${MOST_LINES}`;

/** A decimal string of USD with at most nine decimals, as nano-USD. */
export const usd = z
  .string('must be a decimal string of USD such as "4.998213"')
  .regex(/^-?\d{1,7}(\.\d{1,9})?$/, 'must be a decimal string of USD such as "4.998213"')
  .transform((decimal) => parseUsd(decimal))
  .refine((amount) => amount <= parseUsd(`${LARGEST_USD}`), `must be at most ${LARGEST_USD}`);

export const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time such as 2026-11-21T12:00:00Z' })
  .transform((text) => new Date(text));

/** Text that PostgreSQL can keep: it has no character NUL. */
export const text = (mostCharacters: number) =>
  z
    .string()
    .max(mostCharacters)
    .refine((given) => !given.includes('\0'), 'must not contain the character NUL');

/** What people call a thing, in one line. */
export const oneLine = (mostCharacters: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(mostCharacters)
    .regex(/^\P{Cc}*$/u, 'must be one line, without control characters');

/** The page of a list: `limit` and the `next_cursor` of the page before. */
export const page = {
  limit: z.coerce.number(PAGE_SIZE).int(PAGE_SIZE).min(1, PAGE_SIZE).max(MOST_LINES, PAGE_SIZE).default(50),
  cursor: z.string().max(128).optional(),
};
