const REPLACEMENT = '\uFFFD';

/** What `jsonb` refuses, although JSON can say it. */
const storable = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\u0000', REPLACEMENT).toWellFormed() : value;

/**
 * JSON for a `jsonb` column. PostgreSQL takes neither a NUL nor half a surrogate pair: one of them in a vendor's record would
 * keep a task from ever ending. They become the replacement character.
 */
export const storableJson = (value: unknown): string => JSON.stringify(value, storable);
