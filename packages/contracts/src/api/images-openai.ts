import { z } from 'zod';

/*
 * POST /v1/images/generations, GP image models: the images endpoint of the client library `openai`.
 * Objects are open, as for chat.
 */

const PROMPT_CHARACTERS = 32_000;

export const openAiImageRequest = z.looseObject({
  model: z.string().min(1),
  prompt: z.string().min(1).max(PROMPT_CHARACTERS),
  n: z.int().min(1).max(10).nullish(),
  size: z.string().nullish(),
  quality: z.enum(['auto', 'low', 'medium', 'high']).nullish(),
  background: z.enum(['auto', 'transparent', 'opaque']).nullish(),
  output_format: z.enum(['png', 'jpeg', 'webp']).nullish(),
  output_compression: z.int().min(0).max(100).nullish(),
  moderation: z.enum(['auto', 'low']).nullish(),
  stream: z.boolean().nullish(),
  partial_images: z.int().min(0).max(3).nullish(),
  user: z.string().nullish(),
  safety_identifier: z.string().nullish(),
});

export type OpenAiImageRequest = z.infer<typeof openAiImageRequest>;
