import { z } from 'zod';

/*
 * The body of OpenAI's images endpoint, which client libraries send for every model. Families with a body of their own take
 * it too: `packages/upstreams/src/openai-image-body` maps it. Objects are open: each family checks the other fields.
 */

const PROMPT_CHARACTERS = 32_000;

const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `expected one of ${words.join(', ')}` }).nullish();

export const openAiImageForm = z.looseObject({
  model: z.string().min(1),
  prompt: z.string().min(1).max(PROMPT_CHARACTERS),
  n: z.int().min(1).max(10).nullish(),
  size: z
    .string()
    .regex(/^(auto|[1-9]\d{0,4}x[1-9]\d{0,4})$/, "expected 'auto' or WIDTHxHEIGHT, such as 1024x1024")
    .nullish(),
  quality: oneOf(['auto', 'standard', 'hd', 'low', 'medium', 'high']),
  response_format: oneOf(['url', 'b64_json']),
  style: oneOf(['vivid', 'natural']),
  background: oneOf(['auto', 'transparent', 'opaque']),
  moderation: oneOf(['auto', 'low']),
  output_format: oneOf(['png', 'jpeg', 'webp']),
  output_compression: z.int().min(0).max(100).nullish(),
  stream: z.boolean().nullish(),
  partial_images: z.int().min(0).max(3).nullish(),
  user: z.string().nullish(),
  safety_identifier: z.string().nullish(),
});

export type OpenAiImageForm = z.infer<typeof openAiImageForm>;
