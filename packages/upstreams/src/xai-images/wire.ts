import { z } from 'zod';

/*
 * POST /v1/images/generations and, with references, POST /v1/images/edits (JSON as well): docs.x.ai/docs/guides/image-generations.
 * Only `model` is changed on the way there, and nothing on the way back.
 */

/** What is read of an answer. An image that moderation kept back has neither address nor bytes. */
export const xaiReply = z.looseObject({
  data: z.array(z.looseObject({ url: z.string().nullish(), b64_json: z.string().nullish() })),
});
