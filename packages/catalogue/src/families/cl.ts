import type { MediaTokens } from '@gateway/contracts';
import type { CatalogueModel } from '../catalogue-model.js';

/** USD 10 per 1,000 searches, for every model. */
const WEB_SEARCH = '10000';

/**
 * An image has a token for each block of 28 pixels, after it was scaled down to the model's resolution. A page of a PDF is
 * billed as an image and as text: platform.claude.com/docs/en/build-with-claude/vision and pdf-support.
 */
const images = (most: number): MediaTokens => ({
  image: { most, block: { side: 28, tokens: 1 } },
  page: { tokens: most, includesText: false },
});
const STANDARD_RESOLUTION = images(1_568);
const HIGH_RESOLUTION = images(4_784);

const EFFORTS = { low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh', max: 'max' } as const;

/** Shared by the current models. They think always, and refuse a forced tool: github.com/can1357/oh-my-pi/issues/12939. */
const CURRENT = {
  family: 'cl',
  vendor: 'anthropic',
  ownedBy: 'anthropic',
  endpoints: ['chat.completions', 'responses', 'messages', 'models.generate_content'],
  limits: { contextTokens: 1_000_000, maxOutputTokens: 128_000 },
  chat: {
    protocol: 'anthropic-messages',
    variant: 'standard',
    traits: {
      maxOutputTokens: 128_000,
      temperature: 'fixed',
      efforts: EFFORTS,
      thinking: 'adaptive',
      hiddenReasoning: 'on_request',
      refusesForcedTools: true,
      inputs: ['image', 'file'],
      media: HIGH_RESOLUTION,
    },
  },
} as const;

/** Chat models of the native messages protocol. Limits and prices: platform.claude.com, pages on models and pricing. */
export const CL = [
  {
    id: 'cl-opus-4-7',
    family: 'cl',
    vendor: 'anthropic',
    upstreamModel: 'claude-opus-4-7',
    aliases: ['claude-opus-4-7'],
    ownedBy: 'anthropic',
    released: '2026-04-16',
    endpoints: ['chat.completions', 'responses', 'messages', 'models.generate_content'],
    limits: { contextTokens: 1_000_000, maxOutputTokens: 128_000 },
    prices: [
      {
        from: '2026-04-16',
        perMillion: {
          input_token: '5',
          cached_input_token: '0.50',
          cache_write_token: '6.25',
          cache_write_1h_token: '10',
          output_token: '25',
          web_search: WEB_SEARCH,
        },
      },
    ],
    chat: {
      protocol: 'anthropic-messages',
      variant: 'standard',
      traits: {
        maxOutputTokens: 128_000,
        temperature: 'fixed',
        efforts: EFFORTS,
        thinking: 'adaptive',
        hiddenReasoning: 'on_request',
        inputs: ['image', 'file'],
        media: HIGH_RESOLUTION,
      },
    },
  },
  {
    id: 'cl-sonnet-4-6',
    family: 'cl',
    vendor: 'anthropic',
    upstreamModel: 'claude-sonnet-4-6',
    aliases: ['claude-sonnet-4-6'],
    ownedBy: 'anthropic',
    released: '2026-02-17',
    endpoints: ['chat.completions', 'responses', 'messages', 'models.generate_content'],
    limits: { contextTokens: 1_000_000, maxOutputTokens: 128_000 },
    prices: [
      {
        from: '2026-02-17',
        perMillion: {
          input_token: '3',
          cached_input_token: '0.30',
          cache_write_token: '3.75',
          cache_write_1h_token: '6',
          output_token: '15',
          web_search: WEB_SEARCH,
        },
      },
    ],
    chat: {
      protocol: 'anthropic-messages',
      variant: 'standard',
      traits: {
        maxOutputTokens: 128_000,
        temperature: { max: 1 },
        efforts: { low: 'low', medium: 'medium', high: 'high', max: 'max' },
        thinking: 'adaptive',
        hiddenReasoning: 'on_request',
        inputs: ['image', 'file'],
        media: STANDARD_RESOLUTION,
      },
    },
  },
  {
    ...CURRENT,
    id: 'cl-opus-5-5',
    upstreamModel: 'claude-opus-5-5',
    aliases: ['claude-opus-5-5'],
    released: '2026-09-22',
    prices: [
      {
        from: '2026-09-22',
        perMillion: {
          input_token: '4',
          cached_input_token: '0.20',
          cache_write_token: '5',
          cache_write_1h_token: '8',
          output_token: '20',
          web_search: WEB_SEARCH,
        },
      },
    ],
  },
  {
    ...CURRENT,
    id: 'cl-sonnet-5-5',
    upstreamModel: 'claude-sonnet-5-5',
    aliases: ['claude-sonnet-5-5'],
    released: '2026-09-28',
    prices: [
      {
        from: '2026-09-28',
        perMillion: {
          input_token: '2',
          cached_input_token: '0.20',
          cache_write_token: '2.50',
          cache_write_1h_token: '4',
          output_token: '10',
          web_search: WEB_SEARCH,
        },
      },
      {
        from: '2026-10-07',
        perMillion: {
          input_token: '2',
          cached_input_token: '0.10',
          cache_write_token: '2.50',
          cache_write_1h_token: '4',
          output_token: '10',
          web_search: WEB_SEARCH,
        },
      },
    ],
  },
  {
    ...CURRENT,
    id: 'cl-haiku-5-5',
    upstreamModel: 'claude-haiku-5-5',
    aliases: ['claude-haiku-5-5'],
    released: '2026-10-07',
    prices: [
      {
        from: '2026-10-07',
        perMillion: {
          input_token: '0.10',
          cached_input_token: '0.01',
          cache_write_token: '0.125',
          cache_write_1h_token: '0.20',
          output_token: '0.50',
          web_search: WEB_SEARCH,
        },
        longPrompt: {
          aboveInputTokens: 100_000,
          perMillion: {
            input_token: '0.50',
            cached_input_token: '0.05',
            cache_write_token: '0.625',
            cache_write_1h_token: '1',
            output_token: '2.50',
            web_search: WEB_SEARCH,
          },
        },
      },
    ],
  },
  {
    id: 'cl-haiku-4-5',
    family: 'cl',
    vendor: 'anthropic',
    upstreamModel: 'claude-haiku-4-5-20251001',
    aliases: ['claude-haiku-4-5', 'claude-haiku-4-5-20251001'],
    ownedBy: 'anthropic',
    released: '2025-10-15',
    endpoints: ['chat.completions', 'responses', 'messages', 'models.generate_content'],
    limits: { contextTokens: 200_000, maxOutputTokens: 64_000 },
    prices: [
      {
        from: '2025-10-15',
        perMillion: {
          input_token: '1',
          cached_input_token: '0.10',
          cache_write_token: '1.25',
          cache_write_1h_token: '2',
          output_token: '5',
          web_search: WEB_SEARCH,
        },
      },
    ],
    chat: {
      protocol: 'anthropic-messages',
      variant: 'standard',
      traits: {
        maxOutputTokens: 64_000,
        temperature: { max: 1 },
        efforts: { low: '1024', medium: '2048', high: '4096' },
        thinking: 'budget',
        hiddenReasoning: 'on_request',
        inputs: ['image', 'file'],
        media: STANDARD_RESOLUTION,
      },
    },
  },
] as const satisfies readonly CatalogueModel[];
