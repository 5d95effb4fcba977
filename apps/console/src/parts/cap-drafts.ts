import type { Cap } from '../api/keys.js';
import { numberOrText, usdOrText } from './number-text.js';

/** A cap while a person types it: the limit is still text. */
export interface CapDraft {
  readonly id: number;
  readonly period: Cap['period'];
  readonly measure: Cap['measure'];
  readonly limit: string;
  readonly hard: boolean;
}

let lastId = 0;
export const newDraft = (): CapDraft => {
  lastId += 1;
  return { id: lastId, period: 'month', measure: 'usd', limit: '', hard: true };
};

export const draftsOf = (caps: readonly Cap[]): readonly CapDraft[] =>
  caps.map(({ period, measure, limit, hard }) => ({ ...newDraft(), period, measure, limit: String(limit), hard }));

/** As the account interface takes caps: amounts as text, counts as numbers. */
export const capsOf = (drafts: readonly CapDraft[]): readonly Cap[] =>
  drafts.map(({ period, measure, limit, hard }) => ({
    period,
    measure,
    hard,
    limit: measure === 'usd' ? usdOrText(limit) : (numberOrText(limit) ?? ''),
  }));
