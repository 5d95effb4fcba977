/**
 * The limit of a key: its own or the default, and at most the limit that an administrator set for its account.
 * 0: unlimited. Null: not set.
 */
export function limitOf(keyLimit: number | null, accountLimit: number | null, defaultLimit: number): number {
  const own = keyLimit ?? accountLimit ?? defaultLimit;
  if (accountLimit === null || accountLimit === 0) return own;
  return own === 0 ? accountLimit : Math.min(own, accountLimit);
}
