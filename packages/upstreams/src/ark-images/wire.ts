import { z } from 'zod';

/*
 * POST /api/v3/images/generations: docs.byteplus.com/en/docs/ModelArk/1541523. The client's body is the vendor's own; in
 * answers only `model` is changed.
 */

export const PATH = '/api/v3/images/generations';

/** What is read of an answer. An entry without an image tells why that one failed. */
export const arkReply = z.looseObject({
  created: z.number().optional(),
  data: z.array(z.looseObject({ url: z.string().nullish(), b64_json: z.string().nullish() })),
  usage: z.unknown().optional(),
});

export const EVENTS = {
  succeeded: 'image_generation.partial_succeeded',
  failed: 'image_generation.partial_failed',
  completed: 'image_generation.completed',
} as const;
