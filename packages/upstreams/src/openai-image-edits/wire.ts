import { z } from 'zod';

/*
 * POST /v1/images/edits: platform.openai.com/docs/api-reference/images/createEdit. A form goes there, its text fields as
 * texts; the answer comes back as it is.
 */

export const editReply = z.looseObject({
  size: z.string().nullish(),
  quality: z.string().nullish(),
  usage: z.unknown().optional(),
  data: z.array(z.looseObject({ b64_json: z.string().nullish(), url: z.string().nullish() })).min(1),
});
