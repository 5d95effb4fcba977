import { fieldName, GatewayError, truncateForError } from '@gateway/contracts';
import type { z } from 'zod';
import { wordsOf } from './words-of-issues.js';

/** The 400 for a field of the request. */
export const invalidField = (param: string, problem: string): GatewayError =>
  new GatewayError('invalid_request', `${param}: ${problem}`, { param });

/** Parses input of the client. Throws a 400 that names the first wrong field. */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input ?? {}, { error: wordsOf });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : (issue?.path ?? []);
  const field = fieldName(path);
  const problem =
    issue?.code === 'unrecognized_keys'
      ? 'is not a known field'
      : truncateForError(issue?.message ?? 'is invalid', 1_000);
  if (field === '') throw new GatewayError('invalid_request', `The request body is invalid: ${problem}`);
  throw invalidField(field, problem);
}
