import type { ContentBlock } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ResponseFacts } from '../gateway.js';
import type { ToolResult } from '../tool.js';

/** Facts about the gateway's response, in every structured result. */
export const gatewayFacts = z.object({
  request_id: z.string(),
  cost_usd: z.string().optional(),
  balance_usd: z.string().optional(),
});

export const asText = (text: string): ContentBlock => ({ type: 'text', text });

export const asJsonText = (value: unknown): ContentBlock => asText(JSON.stringify(value));

/** Image formats by the base64 of their first bytes. */
const MAGIC: readonly (readonly [beginning: string, mimeType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['UklGR', 'image/webp'],
];

export const asImage = (data: string, mimeType?: string): ContentBlock => ({
  type: 'image',
  data,
  mimeType: mimeType ?? MAGIC.find(([beginning]) => data.startsWith(beginning))?.[1] ?? 'image/png',
});

/** Links to a file that its upstream stores for a limited time. */
export const asLink = (uri: string, name: string, mimeType: string, description: string): ContentBlock => ({
  type: 'resource_link',
  uri,
  name,
  mimeType,
  description,
});

/** Returns the data twice: structured, and as JSON text for clients that ignore structured content. */
export const dataResult = (data: object, facts: ResponseFacts, ...more: readonly ContentBlock[]): ToolResult => {
  const structured = { ...data, gateway: facts };
  return { structured, content: [...more, asJsonText(structured)] };
};
