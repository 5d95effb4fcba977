import { useEffect, useState } from 'react';
import { fetchQuote, type Quote, type RefusedQuote } from '../../../api/quotes.js';
import type { ApiRequest } from './api-request.js';

const SETTLE_MS = 350;
/** A longer body is not sent for each pause of typing: its files are in it. */
const MAX_QUOTED_CHARACTERS = 400_000;

export type QuoteState =
  | { readonly state: 'none' | 'loading' | 'too-long' }
  | { readonly state: 'failed'; readonly error: unknown }
  /** In the order of the requests. */
  | {
      readonly state: 'quoted';
      readonly requests: readonly ApiRequest[];
      readonly quotes: readonly (Quote | RefusedQuote)[];
    };

const NONE: QuoteState = { state: 'none' };

async function quoteAll(requests: readonly ApiRequest[], signal: AbortSignal): Promise<QuoteState> {
  if (JSON.stringify(requests.map(({ quote }) => quote)).length > MAX_QUOTED_CHARACTERS) return { state: 'too-long' };
  const quotes = await Promise.all(requests.map(({ quote }) => fetchQuote(quote, signal)));
  return { state: 'quoted', requests, quotes };
}

/**
 * The quotes of what the form would send, once the person pauses. A change of the form stops the question before it.
 * `requests` is the same array until the form changes. `isWanted` false: nothing to quote.
 */
export function useQuotes(requests: readonly ApiRequest[], isWanted: boolean): QuoteState {
  const [quoted, setQuoted] = useState<QuoteState>(NONE);
  useEffect(() => {
    if (!isWanted) {
      setQuoted(NONE);
      return undefined;
    }
    const controller = new AbortController();
    const ask = async () => {
      setQuoted((before) => (before.state === 'quoted' ? before : { state: 'loading' }));
      try {
        setQuoted(await quoteAll(requests, controller.signal));
      } catch (error) {
        if (!controller.signal.aborted) setQuoted({ state: 'failed', error });
      }
    };
    const timer = setTimeout(() => void ask(), SETTLE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [requests, isWanted]);
  return quoted;
}

/** The quote of one request, if it was made of exactly these requests. */
export function quoteFor(state: QuoteState, requests: readonly ApiRequest[], index: number): Quote | null {
  if (state.state !== 'quoted' || state.requests !== requests) return null;
  const quote = state.quotes[index];
  return quote?.valid === true ? quote : null;
}
