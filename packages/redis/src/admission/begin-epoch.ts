import type { MoneyKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';

export const beginEpochCall = (keys: MoneyKeys, epoch: string): ScriptCall => ({
  keys: [keys.epoch, keys.accounts],
  args: [jsonArgs({ epoch, accountPrefix: keys.account(''), grantsPrefix: keys.grants('') })],
});
