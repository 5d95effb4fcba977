import type { MediaTokens } from '@gateway/contracts';
import type { CatalogueModel } from '../catalogue-model.js';

const DEPRECATIONS = 'developers.openai.com/api/docs/deprecations, read 2026-10-28';

/**
 * Patches of 32 pixels, 1.2 to 1.62 tokens each; older models count tiles of 512 pixels. A page of a PDF is billed as a
 * image and as text: platform.openai.com/docs/guides/images-vision and pdf-files.
 */
const patches = (most: number): MediaTokens => ({
  image: { most, block: { side: 32, tokens: 1.62 } },
  page: { tokens: most, includesText: false },
});
const PATCHES = patches(4_050);
const PATCHES_AT_ORIGINAL_DETAIL = patches(16_200);
const TILES: MediaTokens = { image: { most: 1_190 }, page: { tokens: 1_190, includesText: false } };

/** USD 10 per 1,000 searches of a model that reasons: openai.com/api/pricing, tools. What they find is billed as prompt. */
const WEB_SEARCH = '10000';

/** Reasoning and general chat models. Limits of the pro models are the interface's. */
export const GP = [
  {
    id: 'gp-5.4-pro',
    family: 'gp',
    vendor: 'openai',
    upstreamModel: 'gpt-5.4-pro',
    aliases: ['gpt-5.4-pro', 'gpt-5.4-pro-2026-03-05'],
    ownedBy: 'openai',
    released: '2026-03-05',
    endpoints: ['chat.completions', 'responses', 'messages', 'models.generate_content'],
    limits: { contextTokens: 1_000_000, maxOutputTokens: 128_000 },
    prices: [
      {
        from: '2026-03-05',
        perMillion: {
          input_token: '30',
          cached_input_token: '30',
          cache_write_token: '30',
          output_token: '180',
          web_search: WEB_SEARCH,
        },
        longPrompt: {
          aboveInputTokens: 272_000,
          perMillion: {
            input_token: '60',
            cached_input_token: '60',
            cache_write_token: '60',
            output_token: '270',
            web_search: WEB_SEARCH,
          },
        },
      },
    ],
    chat: {
      protocol: 'openai-responses',
      variant: 'reasoning',
      traits: {
        maxOutputTokens: 128_000,
        minOutputTokens: 16,
        temperature: 'fixed',
        // The upstream accepts only medium, high and xhigh.
        efforts: { low: 'medium', medium: 'medium', high: 'high' },
        thinking: 'none',
        hiddenReasoning: 'by_default',
        neverStreams: true,
        inputs: ['image', 'file'],
        media: PATCHES_AT_ORIGINAL_DETAIL,
      },
    },
  },
  {
    id: 'gp-5-pro',
    family: 'gp',
    vendor: 'openai',
    upstreamModel: 'gpt-5-pro',
    aliases: ['gpt-5-pro', 'gpt-5-pro-2025-10-06'],
    ownedBy: 'openai',
    released: '2025-10-06',
    // The vendor names gpt-6.1-sol in its mode `pro`. The catalogue's own pro model takes the same requests.
    retirement: { on: '2026-12-11', successor: 'gp-5.4-pro', source: DEPRECATIONS },
    endpoints: ['chat.completions', 'responses', 'messages', 'models.generate_content'],
    limits: { contextTokens: 200_000, maxOutputTokens: 100_000 },
    prices: [
      {
        from: '2025-10-06',
        perMillion: {
          input_token: '15',
          cached_input_token: '15',
          cache_write_token: '15',
          output_token: '120',
          web_search: WEB_SEARCH,
        },
      },
    ],
    chat: {
      protocol: 'openai-responses',
      variant: 'reasoning',
      traits: {
        maxOutputTokens: 100_000,
        minOutputTokens: 16,
        temperature: 'fixed',
        // The upstream accepts only high.
        efforts: { low: 'high', medium: 'high', high: 'high' },
        thinking: 'none',
        hiddenReasoning: 'by_default',
        neverStreams: true,
        inputs: ['image', 'file'],
        media: TILES,
      },
    },
  },
  {
    id: 'gp-5.4-mini',
    family: 'gp',
    vendor: 'openai',
    upstreamModel: 'gpt-5.4-mini',
    aliases: ['gpt-5.4-mini', 'gpt-5.4-mini-2026-03-17'],
    ownedBy: 'openai',
    released: '2026-03-17',
    endpoints: ['chat.completions', 'responses', 'messages', 'models.generate_content'],
    limits: { contextTokens: 400_000, maxOutputTokens: 128_000 },
    prices: [
      {
        from: '2026-03-17',
        perMillion: {
          input_token: '0.75',
          cached_input_token: '0.075',
          cache_write_token: '0.75',
          output_token: '4.50',
          web_search: WEB_SEARCH,
        },
      },
    ],
    chat: {
      protocol: 'openai-chat',
      // OpenAI refuses tools with a reasoning effort here: github.com/openai/openai-openapi/issues/541, read 2026-11-22.
      toolReasoningProtocol: 'openai-responses',
      variant: 'standard',
      traits: {
        maxOutputTokens: 128_000,
        temperature: 'fixed',
        efforts: { none: 'none', low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh' },
        thinking: 'none',
        // The upstream's default effort is none.
        hiddenReasoning: 'on_request',
        inputs: ['image', 'file'],
        media: PATCHES,
      },
    },
  },
] as const satisfies readonly CatalogueModel[];
