import { fieldName, GatewayError, truncateForError } from '@gateway/contracts';
import type { z } from 'zod';

/** What the client sent, or a 400 that names the first wrong field. */
export function parse<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : (issue?.path ?? []);
  const field = fieldName(path);
  const what =
    issue?.code === 'unrecognized_keys'
      ? 'is not a known field'
      : truncateForError(issue?.message ?? 'is wrong', 1_000);
  if (field === '') throw new GatewayError('invalid_request', `The request body is wrong: ${what}`);
  throw new GatewayError('invalid_request', `${field}: ${what}`, { param: field });
}
