import { z } from 'zod';

/*
 * POST /api/v3/images/generations: docs.byteplus.com/en/docs/ModelArk/1541523.
 * Client and vendor share the format: requests pass through with another `model`, responses with the public one.
 */

export const PATH = '/api/v3/images/generations';

/** Fields read from a response. An entry without an image holds the error of that image. */
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
