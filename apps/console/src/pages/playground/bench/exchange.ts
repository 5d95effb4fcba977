import type { Quote } from '../../../api/quotes.js';
import type { ApiRequest } from './api-request.js';

/** `cut`: the stream ended before the answer did. */
export type ExchangeState = 'running' | 'succeeded' | 'failed' | 'stopped' | 'cut';

/** One request to one model, and what came of it. Times are Unix milliseconds. */
export interface Exchange<Draft, Output> {
  readonly id: string;
  readonly draft: Draft;
  readonly request: ApiRequest;
  readonly quote: Quote | null;
  readonly state: ExchangeState;
  readonly output: Output;
  readonly requestId: string | null;
  readonly sentMs: number;
  readonly firstMs: number | null;
  readonly endedMs: number | null;
  readonly error: unknown;
}

export const hasEnded = ({ state }: { readonly state: ExchangeState }): boolean => state !== 'running';
