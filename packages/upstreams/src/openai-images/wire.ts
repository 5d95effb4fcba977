import { z } from 'zod';

/*
 * POST /v1/images/generations: platform.openai.com/docs/api-reference/images.
 * Requests pass through with another `model`, responses byte for byte.
 */

const described = {
  size: z.string().nullish(),
  quality: z.string().nullish(),
  usage: z.unknown().optional(),
};

export const imagesReply = z.looseObject({
  ...described,
  data: z.array(z.looseObject({ b64_json: z.string().nullish(), url: z.string().nullish() })).min(1),
});
