import { z } from 'zod';

/*
 * POST /v1beta/interactions: ai.google.dev/gemini-api/docs/interactions.
 * The client's body is the vendor's own, except for the size `512px`. Responses get the public `model` here; the caller
 * replaces the id, because only it knows the channel.
 */

export const PATH = '/v1beta/interactions';

const step = z.looseObject({
  type: z.string(),
  content: z.array(z.looseObject({ type: z.string().optional() })).nullish(),
});

export const interactionReply = z.looseObject({
  id: z.string().optional(),
  status: z.string(),
  steps: z.array(step).nullish(),
  usage: z.unknown().optional(),
});

export type InteractionReply = z.infer<typeof interactionReply>;
