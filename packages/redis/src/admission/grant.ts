import type { MoneyKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';

export interface Grant {
  readonly accountId: string;
  /** The ledger's number of this grant; rises with each grant of the account. */
  readonly sequence: bigint;
  /** The epoch in which the grant was made: after Redis lost its data the grant is void. */
  readonly epoch: string;
  readonly amountNanoUsd: bigint;
  /** The customer's balance in the ledger after the grant, without escrow. */
  readonly reserveNanoUsd: bigint;
  /** Rises with each change of the customer's balance in the ledger. */
  readonly reserveVersion: bigint;
}

export type GrantOutcome = 'applied' | 'duplicate' | 'wrong_epoch';

/** Sequence numbers stored per account, to distinguish late grants from repeated ones. Lower numbers count as repeated. */
export const REMEMBERED_GRANTS = 100;

export const grantCall = (keys: MoneyKeys, grant: Grant): ScriptCall => ({
  keys: [keys.epoch, keys.account(grant.accountId), keys.grants(grant.accountId), keys.accounts],
  args: [
    jsonArgs({
      accountId: grant.accountId,
      epoch: grant.epoch,
      sequence: grant.sequence.toString(),
      amount: grant.amountNanoUsd.toString(),
      reserve: grant.reserveNanoUsd.toString(),
      reserveVersion: grant.reserveVersion.toString(),
      rememberedGrants: REMEMBERED_GRANTS.toString(),
    }),
  ],
});
