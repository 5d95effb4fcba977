import type { z } from 'zod';
import { describeIssue } from './describe-issue.js';

/** The value as its schema reads it. Throws a 400 that names the field and what was expected there. `path`: where the value is. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  path: readonly PropertyKey[] = [],
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw describeIssue(parsed.error, path);
  return parsed.data;
}
