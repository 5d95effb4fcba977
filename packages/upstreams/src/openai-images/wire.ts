import { z } from 'zod';

/*
 * POST /v1/images/generations: platform.openai.com/docs/api-reference/images. Client and upstream speak the same protocol:
 * only `model` is changed on the way there, and nothing on the way back.
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

/** An event of a stream. */
export const imageEvent = z.looseObject({ ...described, type: z.string().optional(), error: z.unknown().optional() });

export type DescribedImage = Pick<z.infer<typeof imageEvent>, 'size' | 'quality' | 'usage'>;
