/**
 * What a key may do: its own limit or else the default, but never more than an administrator allows its account.
 * 0 is unlimited, null is not set.
 */
export function limitOf(keyLimit: number | null, accountLimit: number | null, defaultLimit: number): number {
  const own = keyLimit ?? accountLimit ?? defaultLimit;
  if (accountLimit === null || accountLimit === 0) return own;
  return own === 0 ? accountLimit : Math.min(own, accountLimit);
}
