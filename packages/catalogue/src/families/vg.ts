import type { CatalogueModel } from '../catalogue-model.js';

const CONTEXT_TOKENS = 32_000;
const DIMENSIONS = [256, 512, 1_024, 2_048];

/** The embedding family. Limits and prices: docs.voyageai.com/docs/embeddings and /docs/pricing. */
export const VG = [
  {
    id: 'vg-4-large',
    family: 'vg',
    vendor: 'voyage',
    upstreamModel: 'voyage-4-large',
    aliases: ['voyage-4-large'],
    ownedBy: 'voyage',
    released: '2026-01-15',
    endpoints: ['embeddings'],
    limits: { contextTokens: CONTEXT_TOKENS },
    prices: [{ from: '2026-01-15', perMillion: { input_token: '0.12' } }],
    embeddings: {
      protocol: 'voyage-embeddings',
      traits: {
        dimensions: DIMENSIONS,
        defaultDimensions: 1_024,
        unitLengthOnlyAt: null,
        batch: { texts: 1_000, tokens: 120_000 },
      },
    },
  },
  {
    id: 'vg-4',
    family: 'vg',
    vendor: 'voyage',
    upstreamModel: 'voyage-4',
    aliases: ['voyage-4'],
    ownedBy: 'voyage',
    released: '2026-01-15',
    endpoints: ['embeddings'],
    limits: { contextTokens: CONTEXT_TOKENS },
    prices: [{ from: '2026-01-15', perMillion: { input_token: '0.06' } }],
    embeddings: {
      protocol: 'voyage-embeddings',
      traits: {
        dimensions: DIMENSIONS,
        defaultDimensions: 1_024,
        unitLengthOnlyAt: null,
        batch: { texts: 1_000, tokens: 320_000 },
      },
    },
  },
  {
    id: 'vg-4-lite',
    family: 'vg',
    vendor: 'voyage',
    upstreamModel: 'voyage-4-lite',
    aliases: ['voyage-4-lite'],
    ownedBy: 'voyage',
    released: '2026-01-15',
    endpoints: ['embeddings'],
    limits: { contextTokens: CONTEXT_TOKENS },
    prices: [{ from: '2026-01-15', perMillion: { input_token: '0.02' } }],
    embeddings: {
      protocol: 'voyage-embeddings',
      traits: {
        dimensions: DIMENSIONS,
        defaultDimensions: 1_024,
        unitLengthOnlyAt: null,
        batch: { texts: 1_000, tokens: 1_000_000 },
      },
    },
  },
] as const satisfies readonly CatalogueModel[];
