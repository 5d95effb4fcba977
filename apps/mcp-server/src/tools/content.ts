import type { ContentBlock } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { AnswerFacts } from '../gateway.js';
import type { JsonObject, ToolAnswer } from '../tool.js';

/** What every result says beside the answer itself. */
export const gatewayFacts = z.object({
  request_id: z.string(),
  cost_usd: z.string().optional(),
  balance_usd: z.string().optional(),
});

export const asText = (text: string): ContentBlock => ({ type: 'text', text });

export const asJsonText = (value: unknown): ContentBlock => asText(JSON.stringify(value));

/** Picture formats by how their first bytes look in base64. */
const MAGIC: readonly (readonly [beginning: string, mimeType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['UklGR', 'image/webp'],
];

export const asPicture = (data: string, mimeType?: string): ContentBlock => ({
  type: 'image',
  data,
  mimeType: mimeType ?? MAGIC.find(([beginning]) => data.startsWith(beginning))?.[1] ?? 'image/png',
});

/** A file that its upstream keeps for a while: where it is, not what it holds. */
export const asLink = (uri: string, name: string, mimeType: string, description: string): ContentBlock => ({
  type: 'resource_link',
  uri,
  name,
  mimeType,
  description,
});

/** A result whose data is all there is to it: once for the program, once as text for clients that read nothing else. */
export const dataAnswer = (data: JsonObject, facts: AnswerFacts, ...more: readonly ContentBlock[]): ToolAnswer => {
  const structured = { ...data, gateway: facts };
  return { structured, content: [...more, asJsonText(structured)] };
};
