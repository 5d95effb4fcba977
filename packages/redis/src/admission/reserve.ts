import type { MoneyKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';

export interface Reserve {
  readonly accountId: string;
  readonly epoch: string;
  /** Rises with each change of the customer's balance in the ledger. */
  readonly reserveVersion: bigint;
  readonly reserveNanoUsd: bigint;
}

export type ReserveOutcome = 'applied' | 'stale' | 'wrong_epoch';

export const setReserveCall = (
  keys: MoneyKeys,
  { accountId, epoch, reserveNanoUsd, reserveVersion }: Reserve,
): ScriptCall => ({
  keys: [keys.epoch, keys.account(accountId), keys.accounts],
  args: [
    jsonArgs({
      accountId,
      epoch,
      reserve: reserveNanoUsd.toString(),
      reserveVersion: reserveVersion.toString(),
    }),
  ],
});
