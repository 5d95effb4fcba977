import type { RouteDescription } from '@gateway/api-description';
import {
  batchEmbedContentsRequest,
  countContentsRequest,
  countRequestTokensRequest,
  embedContentRequest,
  generateContentRequest,
} from '@gateway/contracts';
import { z } from 'zod';
import { answer, eventStream, PAID_HEADERS, paidAnswers, RUN_ERRORS } from './parts.js';

const generated = z
  .looseObject({
    candidates: z.array(z.looseObject({ content: z.looseObject({}).optional() })).optional(),
    usageMetadata: z.looseObject({ totalTokenCount: z.int().optional() }).optional(),
    modelVersion: z.string().optional(),
  })
  .meta({ id: 'GeneratedContent' });

const HELLO = { contents: [{ role: 'user', parts: [{ text: 'Say hello' }] }] };
const CHAT = { path: { model: 'gm-3.5-flash-lite' } };
const EMBEDDING = { path: { model: 'gm-embedding-001' } };
const TEXT = { parts: [{ text: 'A paper boat' }] };

const common = {
  path: z.object({ model: z.string().meta({ description: 'The id of a model, such as `gm-3.5-flash-lite`.' }) }),
  headers: PAID_HEADERS,
  errors: RUN_ERRORS,
  dialects: ['google'],
  passesErrors: true,
} as const satisfies Partial<RouteDescription>;

export const generateContent: RouteDescription = {
  ...common,
  id: 'gemini.generateContent',
  summary: 'Generate content',
  description:
    'Google’s native API: `gm-*` byte for byte, other models by translation. `gm-*` image models make and edit images. Also below `/v1/`.',
  body: generateContentRequest,
  answers: paidAnswers({ 'application/json': generated }),
  examples: {
    simple: { ...CHAT, body: HELLO },
    unknown_model: { isWrong: true, path: { model: 'no-such-model' }, body: HELLO },
  },
};

export const streamGenerateContent: RouteDescription = {
  ...common,
  id: 'gemini.streamGenerateContent',
  summary: 'Generate content as a stream',
  description: 'With `alt=sse` server-sent events, else one JSON array.',
  query: z.object({ alt: z.enum(['sse', 'json']).optional() }),
  body: generateContentRequest,
  answers: paidAnswers({
    'text/event-stream': eventStream(generated, 'Parts of the answer.'),
    'application/json': z.array(generated),
  }),
  examples: { stream: { ...CHAT, query: { alt: 'sse' }, body: HELLO } },
};

export const countContentTokens: RouteDescription = {
  ...common,
  id: 'gemini.countTokens',
  summary: 'Count the tokens of a content',
  description: 'Free.',
  headers: [],
  body: z.union([countContentsRequest, countRequestTokensRequest]),
  answers: { 200: answer('The count', { 'application/json': z.looseObject({ totalTokens: z.int() }) }) },
  examples: { simple: { ...CHAT, body: HELLO } },
};

const vector = z.looseObject({ values: z.array(z.number()) });

export const embedContent: RouteDescription = {
  ...common,
  id: 'gemini.embedContent',
  summary: 'Embed a content',
  body: embedContentRequest,
  answers: paidAnswers({ 'application/json': z.looseObject({ embedding: vector }) }),
  examples: { simple: { ...EMBEDDING, body: { content: TEXT, outputDimensionality: 128 } } },
};

export const batchEmbedContents: RouteDescription = {
  ...common,
  id: 'gemini.batchEmbedContents',
  summary: 'Embed several contents',
  body: batchEmbedContentsRequest,
  answers: paidAnswers({ 'application/json': z.looseObject({ embeddings: z.array(vector) }) }),
  examples: {
    simple: {
      ...EMBEDDING,
      body: { requests: [{ model: 'models/gm-embedding-001', content: TEXT, outputDimensionality: 128 }] },
    },
  },
};
