import { z } from 'zod';

/*
 * POST /v1beta/interactions: ai.google.dev/gemini-api/docs/interactions. The client's body is the vendor's own but for one
 * word (`512px`); in answers `model` is changed here, and the id by whoever knows the channel.
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
