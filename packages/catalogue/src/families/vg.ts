import { MAX_RERANK_DOCUMENTS } from '@gateway/contracts';
import type { CatalogueModel } from '../catalogue-model.js';

const CONTEXT_TOKENS = 32_000;
const DIMENSIONS = [256, 512, 1_024, 2_048];

/** Limits and prices: mongodb.com/docs/voyageai/models/rerankers and vercel.com/ai-gateway/models/rerank-2.5, read 2026-11-22. */
const rerank = (name: string, usdPerMillion: string) =>
  ({
    id: `vg-${name}`,
    family: 'vg',
    vendor: 'voyage',
    upstreamModel: name,
    aliases: [name],
    ownedBy: 'voyage',
    released: '2025-08-11',
    endpoints: ['rerank'],
    limits: { contextTokens: CONTEXT_TOKENS },
    prices: [{ from: '2025-08-11', perMillion: { input_token: usdPerMillion } }],
    rerank: { protocol: 'voyage-rerank', traits: { documents: MAX_RERANK_DOCUMENTS } },
  }) as const satisfies CatalogueModel;

/** Embeddings and rerank. Limits and prices: docs.voyageai.com/docs/embeddings and /docs/pricing. */
export const VG = [
  {
    id: 'vg-4-large',
    family: 'vg',
    vendor: 'voyage',
    upstreamModel: 'voyage-4-large',
    aliases: ['voyage-4-large'],
    ownedBy: 'voyage',
    released: '2026-01-15',
    endpoints: ['embeddings', 'models.embed_content'],
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
    endpoints: ['embeddings', 'models.embed_content'],
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
    endpoints: ['embeddings', 'models.embed_content'],
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
  rerank('rerank-2.5', '0.05'),
  rerank('rerank-2.5-lite', '0.02'),
] as const satisfies readonly CatalogueModel[];
