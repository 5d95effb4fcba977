/**
 * The effective limit of a key: the key's or the default, and at most the account's. 0: unlimited. Null: not set. An
 * administrator sets the account's limit.
 */
export function effectiveLimit(keyLimit: number | null, accountLimit: number | null, defaultLimit: number): number {
  const limit = keyLimit ?? accountLimit ?? defaultLimit;
  if (accountLimit === null || accountLimit === 0) return limit;
  return limit === 0 ? accountLimit : Math.min(limit, accountLimit);
}
