import type { VendorCalendar } from '../vendor-calendar.js';
import type { IncomingRequest } from '../vendor-emulator.js';
import { findById } from '../vendor-ids.js';
import { EMBEDDING_MODELS, INTERACTION_MODELS } from './media-models.js';

export interface GeminiModel {
  readonly id: string;
  readonly displayName: string;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** Null: the model thinks by level. */
  readonly budget: { readonly min: number; readonly max: number; readonly canBeOff: boolean } | null;
  /** Function calls of the current turn need their signature back. */
  readonly needsSignatures: boolean;
  /** A conversation may not end with the model's text. */
  readonly needsUserLast: boolean;
}

const CONTEXT_TOKENS = 1_048_576;
const OUTPUT_TOKENS = 65_536;

const row = (id: string, displayName: string, budget: GeminiModel['budget']): GeminiModel => ({
  id,
  displayName,
  contextTokens: CONTEXT_TOKENS,
  maxOutputTokens: OUTPUT_TOKENS,
  budget,
  needsSignatures: budget === null,
  needsUserLast: budget === null,
});

const MODELS: readonly GeminiModel[] = [
  row('gemini-2.5-pro', 'Gemini 2.5 Pro', { min: 128, max: 32_768, canBeOff: false }),
  row('gemini-2.5-flash', 'Gemini 2.5 Flash', { min: 0, max: 24_576, canBeOff: true }),
  row('gemini-2.5-flash-lite', 'Gemini 2.5 Flash-Lite', { min: 512, max: 24_576, canBeOff: true }),
  row('gemini-3.5-flash-lite', 'Gemini 3.5 Flash-Lite', null),
  row('gemini-3.8-flash', 'Gemini 3.8 Flash', null),
];

export const findModel = findById(MODELS);

const show = (id: string, displayName: string, methods: readonly string[], limits: object) => ({
  name: `models/${id}`,
  version: '001',
  displayName,
  ...limits,
  supportedGenerationMethods: methods,
});

const entries = () => [
  ...MODELS.map(({ id, displayName, contextTokens, maxOutputTokens }) =>
    show(id, displayName, ['generateContent', 'countTokens'], {
      inputTokenLimit: contextTokens,
      outputTokenLimit: maxOutputTokens,
      thinking: true,
    }),
  ),
  ...INTERACTION_MODELS.map(({ id }) =>
    show(id, id, ['generateContent'], { inputTokenLimit: 65_536, outputTokenLimit: 32_768 }),
  ),
  ...EMBEDDING_MODELS.map(({ id }) =>
    show(id, id, ['embedContent', 'batchEmbedContents'], { inputTokenLimit: 2_048, outputTokenLimit: 1 }),
  ),
];

const DEFAULT_PAGE = 50;
const MAX_PAGE = 1_000;

/** A page of the list; its token is the place of the next entry. */
export const modelPage = (query: IncomingRequest['query'], calendar: VendorCalendar): object => {
  const size = Math.min(Number(query.pageSize ?? DEFAULT_PAGE) || DEFAULT_PAGE, MAX_PAGE);
  const from = Number(query.pageToken ?? 0) || 0;
  const all = entries().filter(({ name }) => !calendar.isRetired('gemini', name.replace('models/', '')));
  const next = from + size < all.length ? { nextPageToken: `${from + size}` } : {};
  return { models: all.slice(from, from + size), ...next };
};

export const modelEntry = (id: string, calendar: VendorCalendar): object | undefined =>
  calendar.isRetired('gemini', id) ? undefined : entries().find(({ name }) => name === `models/${id}`);
