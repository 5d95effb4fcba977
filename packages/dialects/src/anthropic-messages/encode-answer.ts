import {
  type AnswerFrame,
  type AnswerPart,
  clientToolId,
  type NeutralAnswer,
  parseExactObject,
  type ReasoningPart,
} from '@gateway/contracts';
import { redactedOf, signatureOf } from '../vendor-data/thinking-signature.js';
import { citationBlock } from './citations.js';
import type { MessagesView } from './decode-request.js';
import { messageIdOf, messagesUsageOf, stopOf } from './message-head.js';

/** Encodes one message, its blocks in the order of the answer. */
export function encodeAnswer(answer: NeutralAnswer, frame: AnswerFrame<MessagesView>): Uint8Array {
  const { content, finish, stopSequence, counts } = answer;
  const refusal = content.map((part) => (part.type === 'refusal' ? part.text : '')).join('');
  const message = {
    id: messageIdOf(answer, frame),
    type: 'message',
    role: 'assistant',
    model: frame.publicModel,
    content: content.flatMap((part) => blockOf(part, frame.view)),
    ...stopOf(finish, refusal, stopSequence),
    usage: messagesUsageOf(counts),
  };
  return Buffer.from(JSON.stringify(message));
}

function blockOf(part: AnswerPart, view: MessagesView): readonly object[] {
  switch (part.type) {
    case 'reasoning':
      return thinkingOf(part, view);
    case 'text': {
      if (part.text === '') return [];
      const citations = (part.citations ?? []).map(citationBlock);
      return [{ type: 'text', text: part.text, ...(citations.length > 0 && { citations }) }];
    }
    case 'tool-call': {
      const { id, name, input, kind, vendor } = part;
      const value = kind === 'custom' ? { input } : inputOf(input);
      return [{ type: 'tool_use', id: clientToolId(id, vendor), name, input: value }];
    }
    case 'refusal':
    case 'media':
    case 'vendor':
      return [];
  }
}

function thinkingOf({ text, vendor }: ReasoningPart, { thinking }: MessagesView): readonly object[] {
  if (thinking === 'off' || (text === '' && vendor === undefined)) return [];
  if (text === '' && vendor !== undefined) return [{ type: 'redacted_thinking', data: redactedOf(vendor) }];
  if (thinking === 'shown') return [{ type: 'thinking', thinking: text, signature: signatureOf(vendor) }];
  return vendor === undefined ? [] : [{ type: 'thinking', thinking: '', signature: signatureOf(vendor) }];
}

/** Invalid arguments become an empty object: the format allows only objects. */
const inputOf = (text: string): object => parseExactObject(text) ?? {};
