import { queryOptions } from '@tanstack/react-query';
import { get } from '../../api/call.js';
import type { MarginReport } from '../../api/operators.js';

export const MARGIN_GROUPS = ['model', 'day', 'account', 'vendor', 'endpoint'] as const;
export type MarginGroup = (typeof MARGIN_GROUPS)[number];

/** UTC days, both included. Undefined: the last 30 days. */
export interface MarginPeriod {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export const marginQuery = (group: MarginGroup, { from, to }: MarginPeriod) =>
  queryOptions({
    queryKey: ['margin', group, from, to],
    queryFn: ({ signal }) => get<MarginReport>('/admin/margin', { group_by: group, from, to }, signal),
  });
