import { isJsonObject } from '@gateway/contracts';
import type { Rewritten } from '../rewritten.js';

type Body = Record<string, unknown>;

const isBare = (part: unknown): part is Body & { readonly image_url: string } =>
  isJsonObject(part) && part.type === 'image_url' && typeof part.image_url === 'string';

/** The content of a message that may have any form. Empty: it has no list of parts. */
export const partsOf = (message: unknown): readonly unknown[] =>
  isJsonObject(message) && Array.isArray(message.content) ? message.content : [];

/**
 * Returns the published form of a body with images whose `image_url` is the address itself, as Mistral takes it and its
 * clients send it. Undefined for every other body.
 */
export function withImageObjects(body: Body): Rewritten | undefined {
  const { messages } = body;
  if (!Array.isArray(messages) || !messages.some((message) => partsOf(message).some(isBare))) return undefined;
  const published = messages.map((message) =>
    partsOf(message).some(isBare) ? { ...message, content: partsOf(message).map(publishedPart) } : message,
  );
  const changes = { filled: { 'messages[].content[].image_url': 'url' }, dropped: [] };
  return { body: { ...body, messages: published }, changes };
}

const publishedPart = (part: unknown): unknown =>
  isBare(part) ? { ...part, image_url: { url: part.image_url } } : part;
