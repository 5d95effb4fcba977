import type { MoneyKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';

/** A block that goes back to the ledger. */
export interface BlockReturn {
  readonly accountId: string;
  /** The ledger's number of this return; rises with each return of the account. */
  readonly sequence: bigint;
  /** The epoch in which the return was opened: after Redis lost its data the return is void. */
  readonly epoch: bigint;
}

export const takeBackCall = (keys: MoneyKeys, { accountId, sequence, epoch }: BlockReturn): ScriptCall => ({
  keys: [keys.epoch, keys.account(accountId)],
  args: [jsonArgs({ epoch: epoch.toString(), sequence: sequence.toString() })],
});
