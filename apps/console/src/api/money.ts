import { queryOptions } from '@tanstack/react-query';
import type { Usd } from '../format/money.js';
import { get } from './call.js';

export interface Balance {
  readonly balance_usd: Usd;
  readonly held_usd: Usd;
  readonly available_usd: Usd;
}

export interface LedgerLine {
  readonly id: string;
  readonly kind: string;
  readonly amount_usd: Usd;
  readonly reference: string;
  readonly reason: string | null;
  readonly created_at: string;
}

export type UsageGroup = 'day' | 'model' | 'key';

export interface UsageLine {
  readonly day?: string;
  readonly model?: string;
  readonly key?: string;
  readonly requests: number;
  readonly cost_usd: Usd;
}

export const balanceQuery = queryOptions({
  queryKey: ['balance'],
  queryFn: ({ signal }) => get<Balance>('/account/balance', {}, signal),
});

/** The settled usage of a period of UTC days, both included: `2026-11-01`, `2026-11-30`. */
export const usageQuery = (group: UsageGroup, from: string, to: string) =>
  queryOptions({
    queryKey: ['usage', group, from, to],
    queryFn: ({ signal }) =>
      get<{ readonly data: readonly UsageLine[] }>('/account/usage', { group_by: group, from, to }, signal),
  });
