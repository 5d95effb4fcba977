/**
 * An account's escrow as Redis sees it: spendable + held + unsettled is what the ledger has in escrow for it, and until a
 * return is booked also what that took out.
 */
export interface AccountState {
  readonly spendableNanoUsd: bigint;
  readonly heldNanoUsd: bigint;
  readonly unsettledNanoUsd: bigint;
  readonly grantSequence: bigint;
  /** The latest return that took anything out, or found that there is nothing to take; and how much. */
  readonly returnSequence: bigint;
  readonly returnedNanoUsd: bigint;
  readonly reserveNanoUsd: bigint;
  readonly reserveVersion: bigint;
}

/** An account that Redis does not know has nothing. */
export const readAccountState = (fields: Record<string, string>): AccountState => ({
  spendableNanoUsd: BigInt(fields.spendable ?? '0'),
  heldNanoUsd: BigInt(fields.held ?? '0'),
  unsettledNanoUsd: BigInt(fields.unsettled ?? '0'),
  grantSequence: BigInt(fields.grantSequence ?? '0'),
  returnSequence: BigInt(fields.returnSequence ?? '0'),
  returnedNanoUsd: BigInt(fields.returned ?? '0'),
  reserveNanoUsd: BigInt(fields.reserve ?? '0'),
  reserveVersion: BigInt(fields.reserveVersion ?? '0'),
});

/** What a return has taken out of Redis and the ledger has not booked: its number is the one that is open there. */
export const pendingReturnNanoUsd = (state: AccountState, openReturn: bigint | null | undefined): bigint =>
  state.returnSequence === openReturn ? state.returnedNanoUsd : 0n;
