import type { ImageEditModelTraits, ImageEditRequest } from '@gateway/contracts';
import { z } from 'zod';

/*
 * POST /v1/images/edits: platform.openai.com/docs/api-reference/images/createEdit.
 * The request is a multipart form; the JSON response passes through byte for byte.
 */

export const editReply = z.looseObject({
  size: z.string().nullish(),
  output_format: z.enum(['png', 'jpeg', 'webp']).nullish().catch(undefined),
  quality: z.string().nullish(),
  usage: z.unknown().optional(),
  data: z.array(z.looseObject({ b64_json: z.string().nullish(), url: z.string().nullish() })).min(1),
});

/** Only a model that stands in for one with URLs puts the image into a URL. */
export const givesDataUrls = (
  { response_format: format }: Pick<ImageEditRequest, 'response_format'>,
  { standsIn }: ImageEditModelTraits,
): boolean => format === 'url' && standsIn !== undefined;
