import { queryOptions } from '@tanstack/react-query';
import type { Usd } from '../format/money.js';
import { get } from './call.js';

/** One line of `GET /account/statements`. */
export interface StatementMonth {
  /** `2026-11`, in the time zone of the organisation. */
  readonly month: string;
  readonly lines: number;
  readonly change_usd: Usd;
}

/** `GET /account/statements/{month}`: opening + top-ups + adjustments + charges = closing. */
export interface Statement {
  readonly month: string;
  readonly time_zone: string;
  readonly from: string;
  readonly to: string;
  /** False: the month goes on, and the statement ends a minute ago. */
  readonly is_final: boolean;
  readonly opening_balance_usd: Usd;
  readonly top_ups_usd: Usd;
  readonly adjustments_usd: Usd;
  readonly charges_usd: Usd;
  readonly closing_balance_usd: Usd;
  readonly models: readonly { readonly model: string; readonly requests: number; readonly cost_usd: Usd }[];
  readonly ledger: { readonly difference_usd: Usd };
}

export const statementPath = (month: string) => `/account/statements/${encodeURIComponent(month)}`;

export const statementQuery = (month: string) =>
  queryOptions({
    queryKey: ['statement', month],
    queryFn: ({ signal }) => get<Statement>(statementPath(month), {}, signal),
  });
