import { queryOptions } from '@tanstack/react-query';
import type { Usd } from '../format/money.js';
import { get } from './call.js';
import type { Documented } from './documented.js';

export type Balance = Documented['Balance'];

export type LedgerLine = Documented['LedgerLine'];

export type UsageDimension = 'model' | 'key' | 'member' | 'endpoint' | 'outcome';

export interface UsageLine {
  readonly day?: string;
  readonly model?: string;
  readonly key?: string;
  /** Null: it has none. */
  readonly key_name?: string | null;
  /** Null: the organisation's own keys. */
  readonly member?: string | null;
  readonly endpoint?: string;
  readonly outcome?: string;
  readonly requests: number;
  readonly cost_usd: Usd;
}

export const balanceQuery = queryOptions({
  queryKey: ['balance'],
  queryFn: ({ signal }) => get<Balance>('/account/balance', {}, signal),
});

/**
 * The settled usage of days of the organisation's time zone, both included: `2026-11-01`, `2026-11-30`.
 * `group`: `day`, or up to two dimensions such as `model,key`.
 */
export const usageQuery = (group: string, from: string, to: string) =>
  queryOptions({
    queryKey: ['usage', group, from, to],
    queryFn: ({ signal }) =>
      get<{ readonly data: readonly UsageLine[] }>('/account/usage', { group_by: group, from, to }, signal),
  });
