import { findById } from '../vendor-ids.js';
export interface GeminiModel {
  readonly id: string;
  readonly displayName: string;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** Null: the model thinks by level. */
  readonly budget: { readonly min: number; readonly max: number; readonly canBeOff: boolean } | null;
  /** Function calls of the current turn need their signature back. */
  readonly needsSignatures: boolean;
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
});

const MODELS: readonly GeminiModel[] = [
  row('gemini-2.5-pro', 'Gemini 2.5 Pro', { min: 128, max: 32_768, canBeOff: false }),
  row('gemini-2.5-flash', 'Gemini 2.5 Flash', { min: 0, max: 24_576, canBeOff: true }),
  row('gemini-2.5-flash-lite', 'Gemini 2.5 Flash-Lite', { min: 512, max: 24_576, canBeOff: true }),
  row('gemini-3.5-flash-lite', 'Gemini 3.5 Flash-Lite', null),
  row('gemini-3.8-flash', 'Gemini 3.8 Flash', null),
];

export const findModel = findById(MODELS);

export const modelList = (): string =>
  JSON.stringify({
    models: MODELS.map((model) => ({
      name: `models/${model.id}`,
      version: '001',
      displayName: model.displayName,
      inputTokenLimit: model.contextTokens,
      outputTokenLimit: model.maxOutputTokens,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
      thinking: true,
    })),
  });
