import { type AssistantPart, type MessagesAssistantBlock, upstreamToolId } from '@gateway/contracts';
import { cacheOf } from '../cache-mark.js';
import { redactedDataOf, vendorDataOf } from '../vendor-data/thinking-signature.js';

/** Decodes the content of an assistant's message. Blocks of tools that the vendor ran stay in the vendor's form. */
export const assistantParts = (
  content: string | readonly MessagesAssistantBlock[],
  path: string,
): readonly AssistantPart[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : content.map((block, index) => decodeBlock(block, `${path}.content[${index}]`));

function decodeBlock(block: MessagesAssistantBlock, path: string): AssistantPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text, cache: cacheOf(block) };
    case 'thinking': {
      const { thinking, signature } = block;
      return { type: 'reasoning', text: typeof thinking === 'string' ? thinking : '', vendor: vendorDataOf(signature) };
    }
    case 'redacted_thinking':
      return { type: 'reasoning', text: '', vendor: redactedDataOf(block.data) };
    case 'tool_use': {
      const { name, input } = block;
      const call = { type: 'tool-call', name, kind: 'function', input: JSON.stringify(input) } as const;
      return { ...call, ...upstreamToolId(block.id), cache: cacheOf(block), path: `${path}.input` };
    }
    default:
      return { type: 'vendor', vendor: { protocol: 'anthropic-messages', data: block } };
  }
}
