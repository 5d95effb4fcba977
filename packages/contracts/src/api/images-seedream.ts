import { z } from 'zod';

/*
 * POST /v1/images/generations, Seedream-type models: the vendor's own body under the public model id.
 * Objects are open: fields that only some models have are forwarded, and the upstream validates them.
 */

const image = z
  .string()
  .regex(/^(https?:\/\/\S+|data:image\/[a-z0-9.+-]+;base64,)/, 'expected the URL of an image, or a data URI');

/** References and generated images together. */
export const MAX_SEEDREAM_IMAGES = 15;

export const seedreamRequest = z.looseObject({
  model: z.string().min(1),
  prompt: z.string().min(1),
  image: z.union([image, z.array(image).min(1)]).nullish(),
  size: z.string().nullish(),
  n: z
    .literal(1, {
      error: "expected 1: for several images use 'sequential_image_generation' with 'max_images'",
    })
    .nullish(),
  sequential_image_generation: z.enum(['disabled', 'auto']).nullish(),
  sequential_image_generation_options: z
    .looseObject({ max_images: z.int().min(1).max(MAX_SEEDREAM_IMAGES).optional() })
    .nullish(),
  stream: z.boolean().nullish(),
  response_format: z.enum(['url', 'b64_json']).nullish(),
  watermark: z.boolean().nullish(),
  seed: z.int().min(-1).max(2_147_483_647).nullish(),
  user: z.string().nullish(),
});

export type SeedreamRequest = z.infer<typeof seedreamRequest>;
