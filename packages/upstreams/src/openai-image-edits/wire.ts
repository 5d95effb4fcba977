import { z } from 'zod';

/*
 * POST /v1/images/edits: platform.openai.com/docs/api-reference/images/createEdit.
 * The request is a multipart form; the JSON response passes through byte for byte.
 */

export const editReply = z.looseObject({
  size: z.string().nullish(),
  quality: z.string().nullish(),
  usage: z.unknown().optional(),
  data: z.array(z.looseObject({ b64_json: z.string().nullish(), url: z.string().nullish() })).min(1),
});
