import { z } from 'zod';
import type { Arguments } from '../tool.js';
import { invalidArgument } from '../tool-failure.js';

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly byDefault: number;
}

/** The argument `timeout_seconds` of a tool that waits: its schema, its words, and how it is read. */
export const timeoutSeconds = ({ least, most, byDefault }: Bounds) => ({
  input: z.int().min(least).max(most).optional(),
  hint: `Maximum time to wait, ${least} to ${most}; ${byDefault} by default.`,
  /** Throws for a value outside of the bounds. */
  of({ timeout_seconds: seconds = byDefault }: Arguments): number {
    if (typeof seconds === 'number' && seconds >= least && seconds <= most) return seconds;
    throw invalidArgument('timeout_seconds', `expected a number from ${least} to ${most}.`);
  },
});
