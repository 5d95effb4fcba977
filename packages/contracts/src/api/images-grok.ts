import { z } from 'zod';

/*
 * POST /v1/images/generations, Grok-type models: the vendor's own body under the public model id.
 * With `image` or `images` the request is image to image.
 */

const reference = z.looseObject({
  url: z
    .string()
    .regex(/^(https?:\/\/\S+|data:image\/[a-z0-9.+-]+;base64,)/i, 'expected the URL of an image, or a data URI'),
  type: z.literal('image_url').optional(),
});

const ASPECT_RATIOS = [
  'auto',
  '1:1',
  '3:4',
  '4:3',
  '9:16',
  '16:9',
  '2:3',
  '3:2',
  '9:19.5',
  '19.5:9',
  '9:20',
  '20:9',
  '1:2',
  '2:1',
] as const;

export const MAX_GROK_REFERENCES = 3;

export const grokImageRequest = z.looseObject({
  model: z.string().min(1),
  prompt: z.string().min(1),
  n: z.int().min(1).max(10).nullish(),
  aspect_ratio: z.enum(ASPECT_RATIOS).nullish(),
  resolution: z.enum(['1k', '1.5k', '2k']).nullish(),
  quality: z.enum(['low', 'medium']).nullish(),
  response_format: z.enum(['url', 'b64_json']).nullish(),
  image: reference.nullish(),
  images: z.array(reference).min(1).max(MAX_GROK_REFERENCES).nullish(),
  user: z.string().nullish(),
});

export type GrokImageRequest = z.infer<typeof grokImageRequest>;
