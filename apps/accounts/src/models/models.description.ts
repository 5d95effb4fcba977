import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';
import { pageOf } from '../http/answers.js';

const perMillion = z.record(z.string(), z.string()).readonly();

/** Every integer of a range, or a list. */
const integers = z.union([z.object({ min: z.number(), max: z.number() }).readonly(), z.array(z.number()).readonly()]);

const words = z.array(z.string()).readonly();

/** For forms: what a request to this model may choose. */
const capabilities = z
  .object({
    chat: z
      .object({
        inputs: words,
        efforts: words,
        thinking: z.string(),
        temperature_max: z.number().nullable(),
        streams: z.boolean(),
      })
      .readonly()
      .exactOptional(),
    images: z
      .object({ sizes: words, qualities: words, max_images: z.number(), from_text: z.boolean() })
      .readonly()
      .exactOptional(),
    edits: z
      .object({ sizes: words, qualities: words, max_images: z.number(), max_references: z.number(), mask: z.boolean() })
      .readonly()
      .exactOptional(),
    embeddings: z.object({ default_dimensions: z.number(), dimensions: integers }).readonly().exactOptional(),
    rerank: z.object({ max_documents: z.number() }).readonly().exactOptional(),
    speech: z
      .object({
        default_voice: z.string(),
        formats: words,
        instructions: z.boolean(),
        max_characters: z.number(),
      })
      .readonly()
      .exactOptional(),
    video: z.object({ input: z.string(), body: z.string() }).readonly().exactOptional(),
  })
  .readonly()
  .meta({ description: 'What a request may choose, by kind of model: for forms that offer nothing else.' });

/** An entry of `GET /v1/models`, and what the model can do. */
const modelRecord = z
  .object({
    id: z.string(),
    object: z.literal('model'),
    type: z.literal('model'),
    display_name: z.string(),
    created_at: z.string(),
    created: z.number(),
    owned_by: z.string(),
    family: z.string(),
    endpoints: z.array(z.string()).readonly().meta({ description: 'Paths that serve the model.' }),
    limits: z
      .object({
        context_tokens: z.number().exactOptional(),
        max_output_tokens: z.number().exactOptional(),
        resolutions: z.array(z.string()).readonly().exactOptional(),
        aspect_ratios: z.array(z.string()).readonly().exactOptional(),
        durations: integers.exactOptional(),
      })
      .readonly(),
    pricing: z
      .object({
        currency: z.literal('USD'),
        version: z.string(),
        per_million: perMillion.meta({ description: "The account's own price, USD for a million of each unit." }),
        long_prompt: z.object({ above_input_tokens: z.number(), per_million: perMillion }).readonly().exactOptional(),
      })
      .readonly(),
    aliases: z.array(z.string()).readonly(),
    shutdown_date: z.string().nullable(),
    successor: z.string().nullable(),
    served_by: z.string().exactOptional(),
    upstream_model: z.string().exactOptional(),
    capabilities,
  })
  .meta({ id: 'Model' });

export const modelPage = pageOf(modelRecord);

const share = z.number().meta({ description: 'From 0 to 1.' });

export const healthRecord = z
  .object({
    model: z.string(),
    error_rate: share.nullable().meta({ description: 'Of all accounts. Null: too few requests.' }),
    own: z
      .object({
        requests: z.int(),
        error_rate: share,
        first_byte_ms: z.object({ median: z.int(), slow_tenth: z.int() }).nullable(),
      })
      .nullable()
      .meta({ description: 'The latest 1,000 requests of the account. Null: it has sent none.' }),
  })
  .meta({ id: 'ModelHealth' });

export const MODELS = {
  health: {
    id: 'models.health',
    summary: 'Read how fast and how often models answer here',
    description: 'The last 24 hours. Refused requests do not count.',
    answers: { 200: pageOf(healthRecord) },
    examples: { all: {} },
  },
  list: {
    id: 'models.list',
    summary: 'List the models that the account may call',
    description: 'With its own prices. A key may be allowed fewer.',
    answers: { 200: modelPage },
    examples: { all: {} },
  },
} satisfies Record<string, RouteDescription>;
