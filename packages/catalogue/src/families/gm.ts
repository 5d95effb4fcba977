import type { MediaTokens, UnitPrices } from '@gateway/contracts';
import type { CatalogueModel, ChatCapability, DatedPrice, EmbeddingsCapability } from '../catalogue-model.js';

const DEPRECATIONS = 'ai.google.dev/gemini-api/docs/deprecations, read 2026-11-10';

/**
 * Tiles of 256 to 768 pixels, by the shape of the image, and at most 24 of them. One frame of a video and 32 tokens of
 * sound for each second: ai.google.dev/gemini-api/docs/tokens and document-processing.
 */
const MEDIA_2: MediaTokens = {
  image: { most: 6_192, block: { side: 256, tokens: 258 } },
  audioSecond: 32,
  videoSecond: 268,
  page: { tokens: 258, includesText: true },
};
/** Fixed by the resolution, whose highest counts here: ai.google.dev/gemini-api/docs/media-resolution. */
const MEDIA_3: MediaTokens = {
  image: { most: 2_240 },
  audioSecond: 32,
  videoSecond: 290,
  page: { tokens: 1_120, includesText: true },
};

/** The vendor has no separate price of audio for these models. */
const flashPrices = (input: string, cached: string, output: string): UnitPrices => ({
  input_token: input,
  input_audio_token: input,
  cached_input_token: cached,
  output_token: output,
});

/** The length of vectors that clients of `text-embedding-004` have stored. */
const embeddings768: EmbeddingsCapability = {
  protocol: 'gemini-embeddings',
  traits: {
    dimensions: { least: 128, most: 768 },
    defaultDimensions: 768,
    unitLengthOnlyAt: 3_072,
    batch: { texts: 100, tokens: 204_800 },
  },
};

/** Version 3: effort is a level, sampling is fixed, and penalties are rejected. */
const version3 = (
  version: string,
  released: string,
  prices: readonly DatedPrice[],
  efforts: ChatCapability['traits']['efforts'],
) =>
  ({
    id: `gm-${version}`,
    family: 'gm',
    vendor: 'gemini',
    upstreamModel: `gemini-${version}`,
    aliases: [`gemini-${version}`],
    ownedBy: 'google',
    released,
    endpoints: ['chat.completions', 'responses', 'messages', 'models.generate_content'],
    limits: { contextTokens: 1_048_576, maxOutputTokens: 65_536 },
    prices,
    chat: {
      protocol: 'gemini-generate',
      variant: 'standard',
      traits: {
        maxOutputTokens: 65_536,
        temperature: 'fixed',
        efforts,
        thinking: 'always',
        signsCalls: true,
        needsUserLast: true,
        hiddenReasoning: 'by_default',
        inputs: ['image', 'audio', 'video', 'file'],
        timesSegments: true,
        media: MEDIA_3,
      },
    },
  }) as const satisfies CatalogueModel;

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
    retirement: { on: '2026-12-01', successor: 'gm-3.8-flash', source: DEPRECATIONS },
    endpoints: ['chat.completions', 'responses', 'messages', 'models.generate_content'],
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
        temperature: { max: 2 },
        efforts: { minimal: '1024', low: '1024', medium: '8192', high: '24576' },
        thinking: 'budget',
        hiddenReasoning: 'by_default',
        inputs: ['image', 'audio', 'video', 'file'],
        timesSegments: true,
        media: MEDIA_2,
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
    retirement: { on: '2026-12-01', successor: 'gm-3.5-flash-lite', source: DEPRECATIONS },
    endpoints: ['chat.completions', 'responses', 'messages', 'models.generate_content'],
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
        temperature: { max: 2 },
        efforts: { none: '0', minimal: '1024', low: '1024', medium: '8192', high: '24576' },
        thinking: 'budget',
        hiddenReasoning: 'by_default',
        inputs: ['image', 'audio', 'video', 'file'],
        timesSegments: true,
        media: MEDIA_2,
      },
    },
  },
  version3(
    '3.8-flash',
    '2026-09-02',
    // The vendor sells at half price until the end of 2026.
    [
      { from: '2026-09-02', perMillion: flashPrices('0.75', '0.075', '3.75') },
      { from: '2027-01-01', perMillion: flashPrices('1.50', '0.15', '7.50') },
    ],
    // `minimal` is no level of this model. Its predecessor accepted it.
    { minimal: 'low', low: 'low', medium: 'medium', high: 'high' },
  ),
  version3(
    '3.5-flash-lite',
    '2026-07-21',
    [{ from: '2026-07-21', perMillion: flashPrices('0.30', '0.03', '2.50') }],
    // Thinking has no off switch here. `none` was accepted by the predecessor.
    { none: 'minimal', minimal: 'minimal', low: 'low', medium: 'medium', high: 'high' },
  ),
  {
    // The vectors of its successor are not comparable with the old ones.
    id: 'text-embedding-004',
    family: 'gm',
    vendor: 'gemini',
    upstreamModel: 'text-embedding-004',
    aliases: [],
    ownedBy: 'google',
    released: '2024-05-14',
    retirement: {
      on: '2026-01-14',
      successor: 'gm-embedding-001',
      keeps: { embeddings: embeddings768 },
      source: 'ai.google.dev/gemini-api/docs/changelog, entry of 2026-01-14',
    },
    endpoints: ['embeddings', 'models.embed_content'],
    limits: { contextTokens: 2_048 },
    // The gateway never sold it under its own model.
    prices: [],
    embeddings: embeddings768,
  },
  {
    id: 'gm-embedding-001',
    family: 'gm',
    vendor: 'gemini',
    upstreamModel: 'gemini-embedding-001',
    aliases: ['gemini-embedding-001'],
    ownedBy: 'google',
    released: '2025-07-14',
    endpoints: ['embeddings', 'models.embed_content'],
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
    endpoints: ['embeddings', 'models.embed_content'],
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
