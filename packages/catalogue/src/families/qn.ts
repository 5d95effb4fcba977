import type { MediaTokens } from '@gateway/contracts';
import type { CatalogueModel } from '../catalogue-model.js';

/**
 * A token for each 28 pixels squared at most, and up to 16,384 for an image; up to two frames of 768 tokens and 25 tokens
 * of sound for each second: alibabacloud.com/help/en/model-studio/vision and qwen-omni.
 */
const MEDIA: MediaTokens = {
  image: { most: 16_386, block: { side: 28, tokens: 1 } },
  audioSecond: 25,
  videoSecond: 1_536,
};

/**
 * Chat, speech and embeddings over DashScope. Prices and limits: alibabacloud.com/help/en/model-studio, pages
 * qwen3-8-omni-flash, qwen-tts and embedding.
 */
export const QN = [
  {
    id: 'qn3.8-omni-flash',
    family: 'qn',
    vendor: 'dashscope',
    upstreamModel: 'qwen3.8-omni-flash',
    aliases: ['qwen3.8-omni-flash'],
    ownedBy: 'alibaba',
    released: '2026-09-21',
    endpoints: ['chat.completions', 'responses', 'messages', 'models.generate_content'],
    limits: { contextTokens: 1_000_000, maxOutputTokens: 131_072 },
    prices: [
      {
        from: '2026-09-21',
        perMillion: {
          input_token: '0.15',
          cached_input_token: '0.016',
          cache_write_token: '0.15',
          output_token: '0.47',
        },
      },
    ],
    chat: {
      protocol: 'dashscope-chat',
      variant: 'standard',
      traits: {
        maxOutputTokens: 131_072,
        temperature: { max: 2 },
        efforts: { low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh' },
        thinking: 'always',
        hiddenReasoning: 'never',
        inputs: ['image', 'audio', 'video'],
        media: MEDIA,
      },
    },
  },
  {
    id: 'qn3-tts-flash',
    family: 'qn',
    vendor: 'dashscope',
    upstreamModel: 'qwen3-tts-flash',
    aliases: ['qwen3-tts-flash'],
    ownedBy: 'alibaba',
    released: '2025-09-18',
    endpoints: ['audio.speech'],
    limits: {},
    // USD 0.10 per 10,000 characters.
    prices: [{ from: '2025-09-18', perMillion: { character: '10' } }],
    speech: {
      protocol: 'dashscope-speech',
      traits: {
        charactersPerCall: 600,
        sampleRateHz: 24_000,
        defaultVoice: 'Cherry',
        supportsInstructions: false,
        onlyFormat: null,
      },
    },
  },
  {
    id: 'qn3-tts-instruct-flash',
    family: 'qn',
    vendor: 'dashscope',
    upstreamModel: 'qwen3-tts-instruct-flash',
    aliases: ['qwen3-tts-instruct-flash'],
    ownedBy: 'alibaba',
    released: '2026-01-26',
    endpoints: ['audio.speech'],
    limits: {},
    // USD 0.115 per 10,000 characters.
    prices: [{ from: '2026-01-26', perMillion: { character: '11.50' } }],
    speech: {
      protocol: 'dashscope-speech',
      traits: {
        charactersPerCall: 600,
        sampleRateHz: 24_000,
        defaultVoice: 'Cherry',
        supportsInstructions: true,
        onlyFormat: 'wav',
      },
    },
  },
  {
    id: 'text-embedding-v4',
    family: 'qn',
    vendor: 'dashscope',
    upstreamModel: 'text-embedding-v4',
    aliases: [],
    ownedBy: 'alibaba',
    released: '2025-06-05',
    endpoints: ['embeddings', 'models.embed_content'],
    limits: { contextTokens: 8_192 },
    prices: [{ from: '2025-06-05', perMillion: { input_token: '0.07' } }],
    embeddings: {
      protocol: 'dashscope-embeddings',
      traits: {
        dimensions: [64, 128, 256, 512, 768, 1_024, 1_536, 2_048],
        defaultDimensions: 1_024,
        unitLengthOnlyAt: null,
        batch: { texts: 10, tokens: 33_000 },
      },
    },
  },
] as const satisfies readonly CatalogueModel[];
