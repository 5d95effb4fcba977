import { z } from 'zod';

/*
 * POST /v1/images/generations, Qwen-style family. Limits are the interface's.
 * `input` and `parameters` are forwarded unchanged, so both are open.
 */

export const QWEN_IMAGE_SIZES = [
  '1024*1024',
  '1664*928',
  '1472*1140',
  '1328*1328',
  '1140*1472',
  '928*1664',
  '1280*720',
  '720*1280',
] as const;
export type QwenImageSize = (typeof QWEN_IMAGE_SIZES)[number];

const MAX_SEED = 2_147_483_647;

const block = z
  .looseObject({
    text: z.string().min(1, 'expected text, got an empty string').optional(),
    image: z
      .string()
      .regex(/^(https:\/\/\S+$|data:image\/[a-z0-9.+-]+;base64,)/i, 'expected the https URL of an image, or a data URI')
      .optional(),
  })
  .refine(({ text, image }) => (text === undefined) !== (image === undefined), {
    error: "expected exactly one of 'text' and 'image'",
  });

const message = z.looseObject({
  role: z.literal('user', { error: "expected 'user'" }),
  content: z
    .array(block)
    .refine((blocks) => blocks.some(({ text }) => text !== undefined), { error: 'expected at least one text block' }),
});

export const qwenImageRequest = z.looseObject({
  model: z.string().min(1),
  input: z.looseObject({ messages: z.array(message).length(1, 'expected exactly one message') }),
  parameters: z
    .looseObject({
      size: z.enum(QWEN_IMAGE_SIZES, { error: `expected one of ${QWEN_IMAGE_SIZES.join(', ')}` }).optional(),
      n: z.literal(1, { error: 'expected 1: one image for each request' }).optional(),
      seed: z.int().min(0).max(MAX_SEED).optional(),
      watermark: z.boolean().optional(),
      negative_prompt: z.string().optional(),
      prompt_extend: z.boolean().optional(),
    })
    .optional(),
});

export type QwenImageRequest = z.infer<typeof qwenImageRequest>;

export interface QwenImageResponse {
  readonly request_id: string;
  readonly output: {
    readonly choices: readonly {
      readonly finish_reason: string;
      readonly message: { readonly role: 'assistant'; readonly content: readonly { readonly image: string }[] };
    }[];
  };
  readonly usage: { readonly image_count: number; readonly height: number; readonly width: number };
}
