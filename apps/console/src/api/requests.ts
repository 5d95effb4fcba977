import { queryOptions } from '@tanstack/react-query';
import type { Usd } from '../format/money.js';
import { get } from './call.js';
import type { Documented } from './documented.js';

export const OUTCOMES = ['completed', 'aborted', 'failed', 'interrupted', 'expired', 'cancelled'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** As `member_id`: the keys of the organisation itself. */
export const NO_MEMBER = 'none';

/** One line of `GET /account/requests`. */
export interface RequestLine {
  readonly request_id: string;
  readonly outcome: Outcome;
  readonly http_status: number | null;
  readonly error_code: string | null;
  readonly endpoint: string;
  readonly model: string;
  readonly key_id: string;
  readonly idempotency_key: string | null;
  readonly cost_usd: Usd;
  readonly units: Readonly<Record<string, number>>;
  readonly admitted_at: string;
  readonly first_byte_at: string | null;
  readonly settled_at: string;
  readonly duration_ms: number;
}

export interface ReceiptLine {
  readonly unit: string;
  readonly count: number;
  readonly usd_per_million: string | null;
  readonly amount_usd: string | null;
}

/** The moments of a request, in order. Null: it never got so far. */
export type Timeline = Readonly<
  Record<
    'admitted_at' | 'queued_at' | 'claimed_at' | 'upstream_at' | 'first_byte_at' | 'settled_at' | 'recorded_at',
    string | null
  >
>;

export interface Attempt {
  readonly number: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly started_at: string;
  readonly ended_at: string;
}

export interface Posting {
  readonly transaction_id: string;
  readonly kind: string;
  readonly ledger_account: string;
  readonly amount_usd: Usd;
  readonly created_at: string;
}

/** `GET /account/requests/{id}` of a settled request. */
export interface Receipt extends Omit<RequestLine, 'units' | 'duration_ms'> {
  readonly status: 'settled';
  readonly reason: string | null;
  readonly price_version: string | null;
  readonly lines: readonly ReceiptLine[];
  readonly is_estimated: boolean;
  readonly abort_contract: string | null;
  readonly hold_usd: Usd;
  readonly released_usd: Usd;
  readonly beyond_hold_usd: Usd;
  readonly timeline: Timeline;
  readonly changes: { readonly filled: Readonly<Record<string, string>>; readonly dropped: readonly string[] };
  readonly postings: readonly Posting[];
  readonly attempts: readonly Attempt[];
}

/** A request that runs, or whose settlement is not booked yet. */
export interface PendingReceipt {
  readonly status: 'running' | 'booking';
}

export const receiptQuery = (id: string) =>
  queryOptions({
    queryKey: ['receipt', id],
    queryFn: ({ signal }) => get<Receipt | PendingReceipt>(`/account/requests/${encodeURIComponent(id)}`, {}, signal),
  });

/** One request of `GET /account/refusals`: refused before it cost anything. */
export type Refusal = Documented['RefusedRequest'];

export const refusalsQuery = queryOptions({
  queryKey: ['refusals'],
  queryFn: ({ signal }) => get<{ readonly data: readonly Refusal[] }>('/account/refusals', {}, signal),
});
