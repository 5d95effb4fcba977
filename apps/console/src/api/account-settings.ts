import { queryOptions } from '@tanstack/react-query';
import type { Usd } from '../format/money.js';
import { get } from './call.js';
import type { CapUse } from './keys.js';

/** `GET /account/settings`: what the owner of an organisation decides for all of it. */
export interface AccountSettings {
  readonly name: string;
  /** It stands on statements. */
  readonly email: string;
  /** A notice is sent below it; null: none. */
  readonly low_balance_usd: Usd | null;
  readonly time_zone: string;
  readonly caps: readonly CapUse[];
}

export const accountSettingsQuery = queryOptions({
  queryKey: ['account-settings'],
  queryFn: ({ signal }) => get<AccountSettings>('/account/settings', {}, signal),
});
