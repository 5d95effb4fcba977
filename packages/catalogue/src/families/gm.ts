import type { CatalogueModel } from '../catalogue-model.js';

/** Multimodal chat models over generateContent. Prices: ai.google.dev/gemini-api/docs/pricing. */
export const GM = [
  {
    id: 'gm-2.5-pro',
    family: 'gm',
    vendor: 'gemini',
    upstreamModel: 'gemini-2.5-pro',
    aliases: ['gemini-2.5-pro'],
    ownedBy: 'google',
    released: '2025-06-17',
    endpoints: ['chat.completions'],
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
    endpoints: ['chat.completions'],
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
        inputs: ['image', 'audio', 'video', 'file'],
      },
    },
  },
] as const satisfies readonly CatalogueModel[];
