/** A customer's money in nano-USD, as Redis knows it. */
export interface AccountFundsRecord {
  /** With holds, without settled costs. */
  readonly balanceNanoUsd: bigint;
  /** Without holds: what a request may hold. */
  readonly spendableNanoUsd: bigint;
}

/** Reads `reserve`, `spendable` and `held` of an account's hash. Null if Redis does not know the reserve. */
export function readAccountFunds([reserve, spendable, held]: readonly (string | null)[]): AccountFundsRecord | null {
  if (reserve === null || reserve === undefined) return null;
  const spendableNanoUsd = BigInt(reserve) + BigInt(spendable ?? '0');
  return { spendableNanoUsd, balanceNanoUsd: spendableNanoUsd + BigInt(held ?? '0') };
}
