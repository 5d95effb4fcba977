import type { Usd } from '../format/money.js';
import { post } from './call.js';

/** What a request would hold and cost, by the rules of admission. */
export interface Quote {
  readonly valid: true;
  readonly model: string;
  /** `stops`: leaving costs what was made until then. `completes`: it costs the whole answer. */
  readonly abort_contract: 'stops' | 'completes';
  readonly units: Readonly<Record<string, number>>;
  /** Decimal USD for a million of each unit. */
  readonly unit_prices: Readonly<Record<string, string>>;
  readonly estimate_usd: Usd;
  readonly hold_usd: Usd;
  readonly hold_most_usd: Usd;
  readonly available_usd: Usd;
  readonly balance_after_usd: Usd;
  readonly is_affordable: boolean;
}

/** The request would be refused. */
export interface RefusedQuote {
  readonly valid: false;
  readonly errors: readonly { readonly code: string; readonly message: string; readonly param: string | null }[];
}

export interface QuoteRequest {
  readonly endpoint: string;
  readonly body: object;
}

export const fetchQuote = (request: QuoteRequest, signal?: AbortSignal) =>
  post<Quote | RefusedQuote>('/account/quote', request, signal);
