import { queryOptions } from '@tanstack/react-query';
import type { Usd } from '../format/money.js';
import { get } from './call.js';
import type { Documented } from './documented.js';

/** One line of `GET /account/statements`. */
export interface StatementMonth {
  /** `2026-11`, in the time zone of the organisation. */
  readonly month: string;
  readonly lines: number;
  readonly change_usd: Usd;
}

/** `GET /account/statements/{month}`: opening + top-ups + adjustments + charges = closing. */
export type Statement = Documented['Statement'];

export const statementPath = (month: string) => `/account/statements/${encodeURIComponent(month)}`;

export const statementQuery = (month: string) =>
  queryOptions({
    queryKey: ['statement', month],
    queryFn: ({ signal }) => get<Statement>(statementPath(month), {}, signal),
  });
