import type { AnswerPart, Citation, NeutralAnswer, NeutralFinish, StreamPart, TokenCounts } from '@gateway/contracts';
import type { AnswerSink } from '../protocol.js';

type Head = Parameters<AnswerSink['open']>[0];

interface OpenText {
  readonly type: 'text';
  text: string;
  citations?: Citation[];
}

/** Collects the parts of a stream into one answer, for a client that does not stream. */
export class AnswerCollector implements AnswerSink {
  /** By block: blocks begin in their order. */
  readonly #parts = new Map<number, AnswerPart>();
  #head: Head = {};
  #finish: NeutralFinish = 'stop';
  #stopSequence: string | undefined;

  open(head: Head): void {
    this.#head = head;
  }

  part(part: StreamPart): void {
    switch (part.type) {
      case 'text':
      case 'reasoning':
      case 'refusal':
        this.#append(part.type, part.block, part.delta);
        return;
      case 'citation':
        this.#cite(part.block, part.citation);
        return;
      case 'tool-call': {
        const { block, ...call } = part;
        this.#parts.set(block, { ...call, input: '', path: '' });
        return;
      }
      case 'tool-input': {
        const call = this.#parts.get(part.block);
        if (call?.type === 'tool-call') (call as { input: string }).input += part.delta;
        return;
      }
      case 'part':
        this.#parts.set(part.block, part.part);
        return;
      case 'end':
        if (part.of === 'reasoning' && part.vendor !== undefined) this.#sign(part.block, part.vendor);
        return;
      case 'finish':
        this.#finish = part.reason;
        this.#stopSequence = part.stopSequence;
    }
  }

  answer(counts: TokenCounts): NeutralAnswer {
    const content = [...this.#parts.values()];
    return { ...this.#head, content, finish: this.#finish, stopSequence: this.#stopSequence, counts };
  }

  #append(type: 'text' | 'reasoning' | 'refusal', block: number, delta: string): void {
    const known = this.#parts.get(block);
    if (known === undefined) this.#parts.set(block, { type, text: delta });
    else (known as { text: string }).text += delta;
  }

  #cite(block: number, citation: Citation): void {
    const text = this.#parts.get(block) as OpenText | undefined;
    if (text?.type !== 'text') return;
    text.citations ??= [];
    text.citations.push(citation);
  }

  #sign(block: number, vendor: NonNullable<Extract<StreamPart, { type: 'end' }>['vendor']>): void {
    const text = (this.#parts.get(block) as { readonly text: string } | undefined)?.text ?? '';
    this.#parts.set(block, { type: 'reasoning', text, vendor });
  }
}
