import { z } from 'zod';

/*
 * POST /v1/images/generations, multimodal-interaction family. Unknown fields are forwarded.
 * Fields that would change the kind of response (a stream, a background task) are rejected.
 */

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const block = z.discriminatedUnion(
  'type',
  [
    z.looseObject({ type: z.literal('text'), text: z.string().min(1) }),
    z.looseObject({
      type: z.literal('image'),
      mime_type: z.string().regex(/^image\/[a-z0-9.+-]+$/i, 'expected the MIME type of an image'),
      data: z.string().regex(BASE64, 'expected base64 without a data-URI prefix'),
    }),
  ],
  { error: "expected a block of type 'text' or 'image'" },
);

const IMAGE_SIZES = ['512px', '1K', '2K', '4K'] as const;
export type InteractionImageSize = (typeof IMAGE_SIZES)[number];

export const ASPECT_RATIOS = [
  '1:1',
  '16:9',
  '9:16',
  '3:2',
  '2:3',
  '4:3',
  '3:4',
  '5:4',
  '4:5',
  '1:4',
  '4:1',
  '1:8',
  '8:1',
] as const;
export type InteractionAspectRatio = (typeof ASPECT_RATIOS)[number];

export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, { error: `expected one of ${words.join(', ')}` });
const onlyFalse = (error: string) => z.literal(false, { error }).optional();

export const interactionRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string().min(1), z.array(block).min(1)]),
  system_instruction: z.string().optional(),
  response_format: z
    .looseObject({
      type: z.literal('image', { error: "expected 'image'" }),
      mime_type: z
        .string()
        .regex(/^image\/[a-z0-9.+-]+$/i, 'expected the MIME type of an image')
        .optional(),
      image_size: oneOf(IMAGE_SIZES).optional(),
      aspect_ratio: oneOf(ASPECT_RATIOS).optional(),
    })
    .optional(),
  generation_config: z
    .looseObject({
      thinking_level: oneOf(['minimal', 'high']).optional(),
      temperature: z.number().min(0).max(2).optional(),
      max_output_tokens: z.int().min(1).optional(),
    })
    .optional(),
  previous_interaction_id: z.string().min(1).optional(),
  tools: z.array(z.looseObject({ type: z.string().optional() })).optional(),
  store: z.boolean().optional(),
  stream: onlyFalse('expected false: interactions are synchronous here'),
  background: onlyFalse('expected false: interactions are synchronous here'),
  service_tier: z.literal('standard', { error: "expected 'standard'" }).optional(),
});

export type InteractionRequest = z.infer<typeof interactionRequest>;

/** `failed`: blocked by the safety filter, or the quota is spent. `steps` is then empty and nothing is charged. */
export type InteractionStatus = 'in_progress' | 'completed' | 'failed' | 'cancelled' | 'requires_action' | 'incomplete';

export interface InteractionResponse {
  /** `v1_…`, issued by this gateway: only the account that received it can continue it. */
  readonly id: string;
  readonly status: InteractionStatus;
  readonly steps: readonly { readonly type: string }[];
  readonly usage: Readonly<Record<string, unknown>>;
}
