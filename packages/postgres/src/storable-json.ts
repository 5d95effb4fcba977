const REPLACEMENT = '\uFFFD';

/** Replaces characters that JSON allows and `jsonb` refuses. */
const storable = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\u0000', REPLACEMENT).toWellFormed() : value;

/**
 * JSON for a `jsonb` column. PostgreSQL refuses NUL and half a surrogate pair, so one in a vendor's record would stop a
 * task from ending. Both become the replacement character. JSON escapes both as `\u`: a text without it is done.
 */
export function toStorableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.includes('\\u') ? JSON.stringify(value, storable) : json;
}
