import { z } from 'zod';

const TIME_ZONES: ReadonlySet<string> = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')]);

/** An IANA name that PostgreSQL knows too. */
export const timeZone = z
  .string()
  .refine((name) => TIME_ZONES.has(name), 'must be an IANA time zone such as Europe/Berlin');
