import { z } from 'zod';

/*
 * POST /v1/images/generations, or with references POST /v1/images/edits (also JSON): docs.x.ai/docs/guides/image-generations.
 * Requests pass through with another `model`. Responses pass with what OpenAI's clients require, and without the vendor's cost.
 */

/** Fields read from a response. An image that moderation withheld is marked, or has no content. */
export const xaiReply = z.looseObject({
  created: z.unknown().optional(),
  data: z.array(
    z.looseObject({
      url: z.string().nullish(),
      b64_json: z.string().nullish(),
      respect_moderation: z.boolean().nullish(),
    }),
  ),
  usage: z.looseObject({ cost_in_usd_ticks: z.unknown().optional() }).nullish(),
});

export type XaiImage = z.infer<typeof xaiReply>['data'][number];
export type XaiReply = z.infer<typeof xaiReply>;
