const REPLACEMENT = '\uFFFD';

/** An escape of JSON. Only half a surrogate pair is written as `\ud…`: whole ones are no escapes. */
const ESCAPES = /\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g;

const storable = (found: string): string => (/^\\u(?:0000|d)/.test(found) ? REPLACEMENT : found);

/**
 * JSON for a `jsonb` column. PostgreSQL refuses NUL and half a surrogate pair, so one in a vendor's record would stop a
 * task from ending. Both become the replacement character, in texts and in names. JSON escapes both as `\u`: a text without
 * it is done.
 */
export function toStorableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.includes('\\u') ? json.replace(ESCAPES, storable) : json;
}
