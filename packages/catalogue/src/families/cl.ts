import type { CatalogueModel } from '../catalogue-model.js';

/** Chat models that speak the native messages protocol. Rules and prices: platform.claude.com, models and pricing pages. */
export const CL = [
  {
    id: 'cl-opus-4-7',
    family: 'cl',
    vendor: 'anthropic',
    upstreamModel: 'claude-opus-4-7',
    aliases: ['claude-opus-4-7'],
    ownedBy: 'anthropic',
    released: '2026-04-16',
    endpoints: ['chat.completions'],
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
        },
      },
    ],
    chat: {
      protocol: 'anthropic-messages',
      variant: 'standard',
      traits: {
        maxOutputTokens: 128_000,
        defaultMaxTokens: 4_096,
        temperature: 'fixed',
        efforts: { low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh', max: 'max' },
        thinking: 'adaptive',
        inputs: ['image', 'file'],
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
    endpoints: ['chat.completions'],
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
        },
      },
    ],
    chat: {
      protocol: 'anthropic-messages',
      variant: 'standard',
      traits: {
        maxOutputTokens: 128_000,
        defaultMaxTokens: 4_096,
        temperature: { max: 1 },
        efforts: { low: 'low', medium: 'medium', high: 'high', max: 'max' },
        thinking: 'adaptive',
        inputs: ['image', 'file'],
      },
    },
  },
] as const satisfies readonly CatalogueModel[];
