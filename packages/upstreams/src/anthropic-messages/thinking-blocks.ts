import type { ReasoningPart, VendorData } from '@gateway/contracts';
import type { InputBlock } from './wire.js';

const PROTOCOL = 'anthropic-messages';

export const signed = (signature: string): VendorData => ({ protocol: PROTOCOL, data: { signature } });

export const redacted = (data: string): VendorData => ({ protocol: PROTOCOL, data: { redacted: data } });

/** Encodes thinking that this vendor signed. It rejects any other. */
export function thinkingBlocks({ text, vendor }: ReasoningPart): readonly InputBlock[] {
  if (vendor?.protocol !== PROTOCOL) return [];
  const { signature, redacted: data } = vendor.data;
  if (typeof data === 'string') return [{ type: 'redacted_thinking', data }];
  return typeof signature === 'string' ? [{ type: 'thinking', thinking: text, signature }] : [];
}
