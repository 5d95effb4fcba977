import type { RouteDescription } from '@gateway/api-description';
import { embeddingsRequest, rerankRequest } from '@gateway/contracts';
import { z } from 'zod';
import { PAID_HEADERS, paidAnswers, RUN_ERRORS } from './parts.js';

const embeddingList = z
  .looseObject({
    object: z.literal('list'),
    data: z.array(
      z.looseObject({
        object: z.literal('embedding'),
        index: z.int(),
        embedding: z.union([z.array(z.number()), z.string()]),
      }),
    ),
    model: z.string(),
    usage: z.looseObject({ prompt_tokens: z.int(), total_tokens: z.int() }),
  })
  .meta({ id: 'EmbeddingList' });

const score = z.number().meta({ description: 'Higher is more relevant.' });

const rerankList = z
  .looseObject({
    id: z.string(),
    object: z.literal('list'),
    model: z.string(),
    results: z.array(
      z.looseObject({
        index: z.int(),
        relevance_score: score,
        document: z.looseObject({ text: z.string() }).optional(),
      }),
    ),
    data: z
      .array(z.looseObject({ index: z.int(), relevance_score: score, document: z.string().optional() }))
      .meta({ description: "The same rows in Voyage's form: a document is its text." }),
    usage: z.looseObject({ total_tokens: z.int() }),
  })
  .meta({ id: 'RerankList' });

const common = { headers: PAID_HEADERS, errors: RUN_ERRORS, passesErrors: true } as const;

export const embeddings: RouteDescription = {
  ...common,
  id: 'embeddings.create',
  summary: 'Embed texts',
  description: 'Up to 2,048 texts. The vectors come back in the order of the texts.',
  body: embeddingsRequest,
  answers: paidAnswers({ 'application/json': embeddingList }),
  examples: {
    base64: { body: { model: 'vg-4', input: ['A paper boat'], dimensions: 256, encoding_format: 'base64' } },
  },
};

export const rerank: RouteDescription = {
  ...common,
  id: 'rerank.create',
  summary: 'Rank documents by their relevance to a query',
  body: rerankRequest,
  answers: paidAnswers({ 'application/json': rerankList }),
  examples: {
    simple: {
      body: { model: 'vg-rerank-2.5', query: 'What floats?', documents: ['A paper boat', 'A stone'], top_n: 1 },
    },
  },
};
