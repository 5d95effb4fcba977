const REPLACEMENT = '\uFFFD';

/** Replaces characters that JSON allows and `jsonb` refuses. */
const storable = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\u0000', REPLACEMENT).toWellFormed() : value;

/**
 * JSON for a `jsonb` column. PostgreSQL refuses NUL and half a surrogate pair, so one in a vendor's record would stop a
 * task from ending. Both become the replacement character.
 */
export const toStorableJson = (value: unknown): string => JSON.stringify(value, storable);
