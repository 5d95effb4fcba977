import type { CatalogueModel } from '../catalogue-model.js';

/** Multimodal chat models over generateContent, and embeddings. Prices: ai.google.dev/gemini-api/docs/pricing. */
export const GM = [
  {
    id: 'gm-2.5-pro',
    family: 'gm',
    vendor: 'gemini',
    upstreamModel: 'gemini-2.5-pro',
    aliases: ['gemini-2.5-pro'],
    ownedBy: 'google',
    released: '2025-06-17',
    endpoints: ['chat.completions', 'messages'],
    limits: { contextTokens: 1_048_576, maxOutputTokens: 65_536 },
    prices: [
      {
        from: '2025-06-17',
        perMillion: {
          input_token: '1.25',
          input_audio_token: '1.25',
          cached_input_token: '0.125',
          output_token: '10',
        },
        longPrompt: {
          aboveInputTokens: 200_000,
          perMillion: {
            input_token: '2.50',
            input_audio_token: '2.50',
            cached_input_token: '0.25',
            output_token: '15',
          },
        },
      },
    ],
    chat: {
      protocol: 'gemini-generate',
      variant: 'standard',
      traits: {
        maxOutputTokens: 65_536,
        defaultMaxTokens: 65_536,
        temperature: { max: 2 },
        efforts: { minimal: '1024', low: '1024', medium: '8192', high: '24576' },
        thinking: 'budget',
        hiddenReasoning: 'by_default',
        inputs: ['image', 'audio', 'video', 'file'],
      },
    },
  },
  {
    id: 'gm-2.5-flash',
    family: 'gm',
    vendor: 'gemini',
    upstreamModel: 'gemini-2.5-flash',
    aliases: ['gemini-2.5-flash'],
    ownedBy: 'google',
    released: '2025-06-17',
    endpoints: ['chat.completions', 'messages'],
    limits: { contextTokens: 1_048_576, maxOutputTokens: 65_536 },
    prices: [
      {
        from: '2025-06-17',
        perMillion: {
          input_token: '0.30',
          input_audio_token: '1.00',
          cached_input_token: '0.03',
          output_token: '2.50',
        },
      },
    ],
    chat: {
      protocol: 'gemini-generate',
      variant: 'standard',
      traits: {
        maxOutputTokens: 65_536,
        defaultMaxTokens: 65_536,
        temperature: { max: 2 },
        efforts: { none: '0', minimal: '1024', low: '1024', medium: '8192', high: '24576' },
        thinking: 'budget',
        hiddenReasoning: 'by_default',
        inputs: ['image', 'audio', 'video', 'file'],
      },
    },
  },
  {
    // The vendor shut the model down on 2026-01-14 and named this successor. Its vectors are not comparable with the old ones.
    id: 'text-embedding-004',
    family: 'gm',
    vendor: 'gemini',
    upstreamModel: 'gemini-embedding-001',
    aliases: [],
    ownedBy: 'google',
    released: '2024-05-14',
    endpoints: ['embeddings'],
    limits: { contextTokens: 2_048 },
    prices: [{ from: '2026-01-14', perMillion: { input_token: '0.15' } }],
    embeddings: {
      protocol: 'gemini-embeddings',
      traits: {
        dimensions: { least: 128, most: 768 },
        defaultDimensions: 768,
        unitLengthOnlyAt: 3_072,
        batch: { texts: 100, tokens: 204_800 },
      },
    },
  },
  {
    id: 'gm-embedding-001',
    family: 'gm',
    vendor: 'gemini',
    upstreamModel: 'gemini-embedding-001',
    aliases: ['gemini-embedding-001'],
    ownedBy: 'google',
    released: '2025-07-14',
    endpoints: ['embeddings'],
    limits: { contextTokens: 2_048 },
    prices: [{ from: '2025-07-14', perMillion: { input_token: '0.15' } }],
    embeddings: {
      protocol: 'gemini-embeddings',
      traits: {
        dimensions: { least: 128, most: 3_072 },
        defaultDimensions: 3_072,
        unitLengthOnlyAt: 3_072,
        batch: { texts: 100, tokens: 204_800 },
      },
    },
  },
  {
    id: 'gm-embedding-2-preview',
    family: 'gm',
    vendor: 'gemini',
    upstreamModel: 'gemini-embedding-2-preview',
    aliases: ['gemini-embedding-2-preview', 'gemini-embedding-2'],
    ownedBy: 'google',
    released: '2026-03-10',
    endpoints: ['embeddings'],
    limits: { contextTokens: 8_192 },
    prices: [{ from: '2026-03-10', perMillion: { input_token: '0.20' } }],
    embeddings: {
      protocol: 'gemini-embeddings',
      traits: {
        dimensions: { least: 128, most: 3_072 },
        defaultDimensions: 3_072,
        unitLengthOnlyAt: 3_072,
        batch: { texts: 100, tokens: 819_200 },
      },
    },
  },
] as const satisfies readonly CatalogueModel[];
