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

/** One stream event: platform.openai.com/docs/api-reference/images-streaming. */
export const imageEvent = z.looseObject({ ...described, type: z.string().optional(), error: z.unknown().optional() });

export type DescribedImage = Pick<z.infer<typeof imageEvent>, 'size' | 'quality' | 'usage'>;
