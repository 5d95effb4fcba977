import type { ReasoningPart, VendorData } from '@gateway/contracts';
import { redactedDataOf, redactedOf, signatureOf, vendorDataOf } from '../vendor-data/thinking-signature.js';

/**
 * One piece of reasoning, in the form of OpenRouter: openrouter.ai/docs/use-cases/reasoning-tokens. A client returns all of them
 * in `reasoning_details` of its next turn. Pieces of a stream with the same `index` are parts of one.
 */
export type ReasoningDetail = { readonly format?: string; readonly index: number } & (
  | { readonly type: 'reasoning.text'; readonly text?: string; readonly signature?: string }
  | { readonly type: 'reasoning.encrypted'; readonly data: string }
);

/** Clients read it to see whose signature it is. */
const FORMATS: Readonly<Partial<Record<VendorData['protocol'], string>>> = {
  'anthropic-messages': 'anthropic-claude-v1',
  'openai-responses': 'openai-responses-v1',
  'gemini-generate': 'google-gemini-v1',
};

const formatOf = ({ protocol }: VendorData): string => FORMATS[protocol] ?? 'unknown';

const textDetail = (text: string, index: number): ReasoningDetail => ({ type: 'reasoning.text', text, index });

/** What ends a piece: its signature, or all of it if the vendor shows no text. */
export const vendorDetail = (vendor: VendorData, index: number, hasText: boolean): ReasoningDetail =>
  hasText
    ? { type: 'reasoning.text', signature: signatureOf(vendor), format: formatOf(vendor), index }
    : { type: 'reasoning.encrypted', data: redactedOf(vendor), format: formatOf(vendor), index };

/** A whole piece. */
export function reasoningDetail({ text, vendor }: ReasoningPart, index: number): ReasoningDetail {
  if (vendor === undefined) return textDetail(text, index);
  const end = vendorDetail(vendor, index, text !== '');
  return end.type === 'reasoning.text' ? { ...end, text } : end;
}

type Returned = Readonly<Record<string, unknown>>;

/** Decodes what a client returns: the details of a whole answer, or all pieces of a stream. Leaves out what has another form. */
export function decodeReasoningDetails(details: unknown): readonly ReasoningPart[] {
  const parts: { part: ReasoningPart; index: unknown }[] = [];
  for (const detail of Array.isArray(details) ? details : []) {
    const part = typeof detail === 'object' && detail !== null ? partOf(detail) : undefined;
    if (part === undefined) continue;
    const last = parts.at(-1);
    if (last !== undefined && typeof detail.index === 'number' && last.index === detail.index) {
      last.part = { type: 'reasoning', text: last.part.text + part.text, vendor: part.vendor ?? last.part.vendor };
    } else parts.push({ part, index: detail.index });
  }
  return parts.map(({ part }) => part);
}

function partOf({ type, text, summary, signature, data }: Returned): ReasoningPart | undefined {
  switch (type) {
    case 'reasoning.text':
      return { type: 'reasoning', text: textOf(text), vendor: vendorDataOf(signature) };
    case 'reasoning.summary':
      return { type: 'reasoning', text: textOf(summary) };
    case 'reasoning.encrypted':
      return { type: 'reasoning', text: '', vendor: redactedDataOf(data) };
    default:
      return undefined;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
