import { z } from 'zod';
import type { OpenAiImage } from './image-body.js';

const list = z.looseObject({
  data: z.array(z.looseObject({ url: z.string().nullish(), b64_json: z.string().nullish() })),
});

/** The images of a response that has OpenAI's list already. Entries without an image, such as a failed one, are left out. */
export function listedImages(response: unknown): readonly OpenAiImage[] {
  const parsed = list.safeParse(response);
  if (!parsed.success) return [];
  return parsed.data.data.filter(({ url, b64_json: base64 }) => Boolean(url || base64)) as readonly OpenAiImage[];
}
