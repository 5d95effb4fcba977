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
  | { readonly state: 'quoted'; readonly text: string; readonly quotes: readonly (Quote | RefusedQuote)[] };

/**
 * The quotes of what the form would send, once the person pauses. A change of the form stops the question before it.
 * `isWanted` false: nothing to quote.
 */
export function useQuotes(requests: readonly ApiRequest[], isWanted: boolean): QuoteState {
  const [quoted, setQuoted] = useState<QuoteState>({ state: 'none' });
  const text = isWanted ? JSON.stringify(requests.map(({ quote }) => quote)) : '';
  useEffect(() => {
    if (text === '') return setQuoted({ state: 'none' });
    if (text.length > MAX_QUOTED_CHARACTERS) return setQuoted({ state: 'too-long' });
    const controller = new AbortController();
    const ask = async () => {
      setQuoted((before) => (before.state === 'quoted' ? before : { state: 'loading' }));
      const asked = JSON.parse(text) as readonly ApiRequest['quote'][];
      const quotes = await Promise.all(asked.map((quote) => fetchQuote(quote, controller.signal)));
      setQuoted({ state: 'quoted', text, quotes });
    };
    const fail = (error: unknown) => {
      if (!controller.signal.aborted) setQuoted({ state: 'failed', error });
    };
    const timer = setTimeout(() => void ask().catch(fail), SETTLE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);
  return quoted;
}

/** The quote of one request, if it was made of exactly this request. */
export function quoteFor(state: QuoteState, requests: readonly ApiRequest[], index: number): Quote | null {
  if (state.state !== 'quoted' || state.text !== JSON.stringify(requests.map(({ quote }) => quote))) return null;
  const quote = state.quotes[index];
  return quote?.valid === true ? quote : null;
}
