/**
 * An account's escrow in Redis. Spendable + held + unsettled equals the ledger's escrow; until a return is booked, its
 * amount belongs to that sum too.
 */
export interface AccountState {
  readonly spendableNanoUsd: bigint;
  readonly heldNanoUsd: bigint;
  readonly unsettledNanoUsd: bigint;
  readonly grantSequence: bigint;
  /** The latest return that Redis executed, and its amount, which may be 0. */
  readonly returnSequence: bigint;
  readonly returnedNanoUsd: bigint;
  readonly reserveNanoUsd: bigint;
  readonly reserveVersion: bigint;
}

/** An account without a hash has nothing. */
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

/** The amount that the ledger's open return withdrew from Redis and has not booked. */
export const pendingReturnNanoUsd = (state: AccountState, openReturn: bigint | null | undefined): bigint =>
  state.returnSequence === openReturn ? state.returnedNanoUsd : 0n;
