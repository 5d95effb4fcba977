import { z } from 'zod';

/*
 * POST /api/v1/services/aigc/multimodal-generation/generation, synchronous:
 * alibabacloud.com/help/en/model-studio/qwen-image-api.
 * The client's `input` and `parameters` hold the vendor's own fields. Responses pass through byte for byte.
 */

export const PATH = '/api/v1/services/aigc/multimodal-generation/generation';

/** Fields read from a response. */
export const imageReply = z.looseObject({
  request_id: z.string().optional(),
  output: z.looseObject({
    choices: z
      .array(
        z.looseObject({
          message: z.looseObject({ content: z.array(z.looseObject({ image: z.string().optional() })) }),
        }),
      )
      .min(1),
  }),
  usage: z.unknown().optional(),
});

export type ImageReply = z.infer<typeof imageReply>;
