import type { MoneyKeys } from '../keys.js';
import type { ScriptCall } from '../scripts/script.js';

export const headroomCall = (keys: MoneyKeys, accountId: string, requestId: string): ScriptCall => ({
  keys: [keys.account(accountId), keys.hold(requestId)],
  args: [keys.spending('')],
});
