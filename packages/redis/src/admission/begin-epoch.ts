import type { RedisKeys } from '../keys.js';
import { jsonArgs, type ScriptCall } from '../scripts/script.js';

export const beginEpochCall = (keys: RedisKeys, epoch: string): ScriptCall => ({
  keys: [keys.epoch, keys.accounts],
  args: [jsonArgs({ epoch, accountPrefix: keys.account(''), grantsPrefix: keys.grants('') })],
});
