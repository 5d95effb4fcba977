/** An account's escrow as Redis sees it: spendable + held + unsettled is what the ledger has in escrow for it. */
export interface AccountState {
  readonly spendableNanoUsd: bigint;
  readonly heldNanoUsd: bigint;
  readonly unsettledNanoUsd: bigint;
  readonly grantSequence: bigint;
  readonly reserveNanoUsd: bigint;
  readonly reserveVersion: bigint;
}

/** An account that Redis does not know has nothing. */
export const readAccountState = (fields: Record<string, string>): AccountState => ({
  spendableNanoUsd: BigInt(fields.spendable ?? '0'),
  heldNanoUsd: BigInt(fields.held ?? '0'),
  unsettledNanoUsd: BigInt(fields.unsettled ?? '0'),
  grantSequence: BigInt(fields.grantSequence ?? '0'),
  reserveNanoUsd: BigInt(fields.reserve ?? '0'),
  reserveVersion: BigInt(fields.reserveVersion ?? '0'),
});
