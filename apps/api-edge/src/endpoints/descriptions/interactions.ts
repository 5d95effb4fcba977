import type { RouteDescription } from '@gateway/api-description';
import { interactionCreation } from '@gateway/contracts';
import { z } from 'zod';
import { eventStream, PAID_HEADERS, paidAnswers, RUN_ERRORS } from './parts.js';

const step = z.looseObject({ type: z.string() });

/** An interaction as Google's API has it. */
const interaction = z
  .looseObject({
    id: z.string().optional(),
    object: z.literal('interaction'),
    model: z.string(),
    status: z.enum(['in_progress', 'requires_action', 'completed', 'incomplete', 'failed', 'cancelled']),
    created: z.string().optional(),
    updated: z.string().optional(),
    previous_interaction_id: z.string().optional(),
    steps: z.array(step),
    errors: z.array(z.looseObject({ code: z.string().optional(), message: z.string().optional() })).optional(),
    usage: z
      .looseObject({ total_input_tokens: z.int(), total_output_tokens: z.int(), total_tokens: z.int() })
      .optional(),
  })
  .meta({ id: 'InteractionResource' });

const interactionEvent = z.looseObject({ event_type: z.string() }).meta({ id: 'InteractionEvent' });
const events = eventStream(
  interactionEvent,
  'Events of the API. `interaction.completed` has the final status and usage.',
);

const common = { dialects: ['google'] } as const satisfies Partial<RouteDescription>;

export const interactions: RouteDescription = {
  ...common,
  id: 'interactions.create',
  summary: 'Create an interaction',
  description:
    'Google’s Interactions API for every chat model, and for `gm-*` image models. `previous_interaction_id` continues a stored one. `background: true` runs without its client.',
  headers: PAID_HEADERS,
  body: interactionCreation,
  answers: paidAnswers({ 'application/json': interaction, 'text/event-stream': events }),
  errors: [...RUN_ERRORS, 'previous_response_not_found'],
  passesErrors: true,
  examples: {
    simple: { body: { model: 'gm-3.5-flash-lite', input: 'Say hello' } },
    stream: { body: { model: 'cl-sonnet-4-6', input: 'Say hello', stream: true } },
    unknown_model: { isWrong: true, body: { model: 'no-such-model', input: 'Say hello' } },
  },
};

export const STORED_INTERACTIONS = {
  get: {
    ...common,
    id: 'interactions.get',
    summary: 'Read a stored interaction',
    description:
      'With `include_input=true` its steps begin with those of its input. With `stream=true` its events, from the one after `last_event_id` on.',
    query: z.object({
      include_input: z.boolean().optional(),
      stream: z.boolean().optional(),
      last_event_id: z
        .string()
        .regex(/^\d{1,9}$/)
        .optional(),
    }),
    answers: {
      200: {
        description: 'The interaction, or its events',
        content: { 'application/json': interaction, 'text/event-stream': events },
      },
    },
    examples: { one: { path: { id: '{interactionId}' } } },
  },
  remove: {
    ...common,
    id: 'interactions.delete',
    summary: 'Delete a stored interaction',
    description: 'An interaction in the background is cancelled too.',
    answers: { 200: z.object({}) },
    examples: { one: { path: { id: '{interactionId}' } } },
  },
  cancel: {
    ...common,
    id: 'interactions.cancel',
    summary: 'Cancel an interaction in the background',
    description: 'One that has ended stays as it is.',
    answers: { 200: interaction },
    examples: { one: { path: { id: '{backgroundInteractionId}' } } },
  },
} as const satisfies Record<string, RouteDescription>;
