import type { ReasoningPart, VendorData } from '@gateway/contracts';
import type { InputItem, ReplyItem } from './wire.js';

const PROTOCOL = 'openai-responses';

type ReasoningItem = Extract<ReplyItem, { type: 'reasoning' }>;

export const summaryOf = ({ summary }: ReasoningItem): string => (summary ?? []).map(({ text }) => text ?? '').join('');

/** What the client must return with the reasoning. Without its encrypted content the vendor cannot read an item again. */
export function vendorDataOf({ id, encrypted_content: content }: ReasoningItem): VendorData | undefined {
  if (!id || !content) return undefined;
  return { protocol: PROTOCOL, data: { id, encrypted_content: content } };
}

/** Encodes reasoning of this vendor. It rejects any other. */
export function reasoningItem({ text, vendor }: ReasoningPart): readonly InputItem[] {
  if (vendor?.protocol !== PROTOCOL) return [];
  const { id, encrypted_content: content } = vendor.data;
  if (typeof id !== 'string' || typeof content !== 'string') return [];
  const summary = text === '' ? [] : [{ type: 'summary_text' as const, text }];
  return [{ type: 'reasoning', id, summary, encrypted_content: content }];
}
