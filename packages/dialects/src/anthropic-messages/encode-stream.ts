import {
  type AnswerEncoder,
  type AnswerFrame,
  type AnswerHead,
  clientToolId,
  type NeutralFinish,
  type StreamPart,
  type TokenCounts,
} from '@gateway/contracts';
import { redactedOf, signatureOf } from '../vendor-data/thinking-signature.js';
import { citationBlock } from './citations.js';
import type { MessagesView } from './decode-request.js';
import { messageIdOf, messagesUsageOf, stopOf } from './message-head.js';

/** Text as it stands within a JSON string. */
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

const EMPTY_THINKING = { type: 'thinking', thinking: '', signature: '' };

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

export const openEncoder = (frame: AnswerFrame<MessagesView>): AnswerEncoder => new MessageStream(frame);

type Part<Type extends StreamPart['type']> = Extract<StreamPart, { type: Type }>;

/** Writes an answer as events: platform.claude.com/docs/en/build-with-claude/streaming. */
class MessageStream implements AnswerEncoder {
  /** Index of each content block of the client, by the block of the answer. */
  readonly #indexes = new Map<number, number>();
  /** Blocks of reasoning whose text the client does not want. */
  readonly #hidden = new Set<number>();
  /** Calls of free text, which becomes the member `input` of an object. */
  readonly #custom = new Set<number>();
  #refusal = '';
  #finish: NeutralFinish = 'stop';
  #stopSequence: string | undefined;

  constructor(private readonly frame: AnswerFrame<MessagesView>) {}

  open(head: AnswerHead): string {
    const usage = { ...messagesUsageOf(head.counts), output_tokens: 0 };
    const message = {
      id: messageIdOf(head, this.frame),
      type: 'message',
      role: 'assistant',
      model: this.frame.publicModel,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    return event('message_start', { message }) + event('ping', {});
  }

  part(part: StreamPart): string {
    switch (part.type) {
      case 'text':
        return this.#text(part.block, part.delta);
      case 'reasoning':
        return this.#thinking(part.block, part.delta);
      case 'tool-call':
        return this.#toolUse(part);
      case 'tool-input':
        return this.#input(part.block, this.#custom.has(part.block) ? escaped(part.delta) : part.delta);
      case 'citation':
        return this.#delta(part.block, { type: 'citations_delta', citation: citationBlock(part.citation) });
      case 'end':
        return this.#end(part);
      case 'refusal':
        this.#refusal += part.delta;
        return '';
      case 'finish':
        this.#finish = part.reason;
        this.#stopSequence = part.stopSequence;
        return '';
      case 'part':
        return '';
    }
  }

  close(counts: TokenCounts): string {
    const delta = stopOf(this.#finish, this.#refusal, this.#stopSequence);
    return event('message_delta', { delta, usage: messagesUsageOf(counts) }) + event('message_stop', {});
  }

  #text(block: number, text: string): string {
    return this.#ensure(block, { type: 'text', text: '' }) + this.#delta(block, { type: 'text_delta', text });
  }

  #thinking(block: number, thinking: string): string {
    if (this.frame.view.thinking !== 'shown') {
      this.#hidden.add(block);
      return '';
    }
    return this.#ensure(block, EMPTY_THINKING) + this.#delta(block, { type: 'thinking_delta', thinking });
  }

  #toolUse({ block, id, name, kind, vendor }: Part<'tool-call'>): string {
    const start = this.#ensure(block, { type: 'tool_use', id: clientToolId(id, vendor), name, input: {} });
    if (kind === 'function') return start;
    this.#custom.add(block);
    return start + this.#input(block, '{"input":"');
  }

  #input(block: number, json: string): string {
    return this.#delta(block, { type: 'input_json_delta', partial_json: json });
  }

  #end({ block, of, vendor }: Part<'end'>): string {
    if (of === 'reasoning') return this.#endReasoning(block, vendor);
    return (this.#custom.has(block) ? this.#input(block, '"}') : '') + this.#stop(block);
  }

  /** Reasoning without any text is a block of its own kind. */
  #endReasoning(block: number, vendor: Part<'end'>['vendor']): string {
    const isOpen = this.#indexes.has(block);
    if (!isOpen && (vendor === undefined || this.frame.view.thinking === 'off')) return '';
    if (isOpen || this.#hidden.has(block)) {
      const start = this.#ensure(block, EMPTY_THINKING);
      const signature = this.#delta(block, { type: 'signature_delta', signature: signatureOf(vendor) });
      return start + signature + this.#stop(block);
    }
    if (vendor === undefined) return '';
    return this.#ensure(block, { type: 'redacted_thinking', data: redactedOf(vendor) }) + this.#stop(block);
  }

  #ensure(block: number, start: object): string {
    if (this.#indexes.has(block)) return '';
    const index = this.#indexes.size;
    this.#indexes.set(block, index);
    return event('content_block_start', { index, content_block: start });
  }

  #delta(block: number, delta: object): string {
    return event('content_block_delta', { index: this.#indexes.get(block), delta });
  }

  #stop(block: number): string {
    const index = this.#indexes.get(block);
    return index === undefined ? '' : event('content_block_stop', { index });
  }
}
