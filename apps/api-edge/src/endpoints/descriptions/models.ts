import type { RouteDescription } from '@gateway/api-description';
import { z } from 'zod';

const prices = z.record(z.string(), z.string());

const modelEntry = z
  .object({
    id: z.string(),
    object: z.literal('model'),
    type: z.literal('model'),
    display_name: z.string(),
    created_at: z.string(),
    created: z.int(),
    owned_by: z.string(),
    family: z.string(),
    endpoints: z.array(z.string()),
    limits: z.object({
      context_tokens: z.int().optional(),
      max_output_tokens: z.int().optional(),
      resolutions: z.array(z.string()).optional(),
      aspect_ratios: z.array(z.string()).optional(),
      durations: z.union([z.object({ min: z.int(), max: z.int() }), z.array(z.int())]).optional(),
    }),
    pricing: z.object({
      currency: z.literal('USD'),
      version: z.string(),
      per_million: prices.meta({ description: 'Decimal USD for one million of each unit.' }),
      long_prompt: z.object({ above_input_tokens: z.int(), per_million: prices }).optional(),
    }),
    aliases: z.array(z.string()),
    shutdown_date: z.string().nullable(),
    successor: z.string().nullable(),
    served_by: z.string().optional(),
    upstream_model: z.string().optional(),
  })
  .meta({ id: 'Model' });

const messagesEntry = z
  .object({
    type: z.literal('model'),
    id: z.string(),
    display_name: z.string(),
    created_at: z.string(),
    max_input_tokens: z.int().nullable(),
    max_tokens: z.int().nullable(),
    lifecycle: z.enum(['active', 'deprecated']),
    deprecated_at: z.string().nullable(),
    retires_at: z.string().nullable(),
    line: z.string().nullable(),
    capabilities: z.null(),
  })
  .meta({ id: 'MessagesModel' });

const googleEntry = z
  .object({
    name: z.string(),
    version: z.string(),
    displayName: z.string(),
    description: z.string(),
    inputTokenLimit: z.int().optional(),
    outputTokenLimit: z.int().optional(),
    supportedGenerationMethods: z.array(z.string()),
    thinking: z.boolean().optional(),
  })
  .meta({ id: 'GoogleModel' });

const ends = { has_more: z.boolean(), first_id: z.string().nullable(), last_id: z.string().nullable() };
const modelList = z.object({ object: z.literal('list'), data: z.array(modelEntry), ...ends });
const messagesList = z.object({ data: z.array(messagesEntry), ...ends });
const googleList = z.object({ models: z.array(googleEntry), nextPageToken: z.string().optional() });

const googlePage = { pageSize: z.int().min(0).optional(), pageToken: z.string().optional() };
const STYLES = ['a', 'anthropic', 'google'] as const;

export const MODELS = {
  list: {
    id: 'models.list',
    summary: 'List the models of the key',
    description:
      'With limits and prices. A client of the native messages format or of Google’s API gets the list of its own format.',
    headers: ['anthropic-version'],
    query: z.object({
      limit: z.int().min(1).max(1_000).optional().meta({
        description: 'How many models a page has at most. Native messages format only.',
      }),
      after_id: z.string().optional(),
      before_id: z.string().optional(),
      ...googlePage,
    }),
    answers: {
      200: {
        description: 'The models',
        content: { 'application/json': z.union([modelList, messagesList, googleList]) },
        headers: ['openai-organization', 'x-may-spend'],
      },
    },
    dialects: STYLES,
    examples: { all: {} },
  },
  get: {
    id: 'models.get',
    summary: 'Read a model',
    description: 'By public id, alias or the name that clients have built in.',
    headers: ['anthropic-version'],
    answers: { 200: z.union([modelEntry, messagesEntry, googleEntry]) },
    dialects: STYLES,
    examples: { one: { path: { id: 'gm-3.5-flash-lite' } }, unknown: { isWrong: true, path: { id: 'no-such-model' } } },
  },
  googleList: {
    id: 'gemini.listModels',
    summary: 'List the models in Google’s format',
    query: z.object(googlePage),
    answers: { 200: googleList },
    dialects: ['google'],
    examples: { first: { query: { pageSize: '1' } } },
  },
  googleGet: {
    id: 'gemini.getModel',
    summary: 'Read a model in Google’s format',
    answers: { 200: googleEntry },
    dialects: ['google'],
    examples: { one: { path: { id: 'gm-3.5-flash-lite' } } },
  },
} as const satisfies Record<string, RouteDescription>;
