import { z } from 'zod';

/** A calendar month such as `2026-11`. */
export const month = z
  .string()
  .regex(/^(20\d\d)-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11')
  .refine((given) => given <= new Date(Date.now() + DAY_MS).toISOString().slice(0, '2026-11'.length), {
    message: 'must not be in the future',
  });

/** Time zones are at most this far ahead of UTC. */
const DAY_MS = 24 * 60 * 60 * 1_000;
