import type { Citation, StreamPart } from '@gateway/contracts';
import { annotationOf, type ContentPart, type ItemStatus, messageItem, outputText } from './output-items.js';
import type { EventWriter } from './write-event.js';

interface OpenPart {
  readonly block: number;
  readonly type: 'text' | 'refusal';
  text: string;
  readonly annotations: object[];
}

const contentPart = ({ type, text, annotations }: OpenPart): ContentPart =>
  type === 'refusal' ? { type: 'refusal', refusal: text } : outputText(text, annotations);

/** The events of one message: each block of text is a part of its content. */
export class MessageEvents {
  readonly #parts: ContentPart[] = [];
  #open: OpenPart | undefined;

  constructor(
    private readonly events: EventWriter,
    private readonly id: string,
    readonly index: number,
  ) {}

  item(status: ItemStatus): object {
    return messageItem(this.id, status, this.#parts);
  }

  delta({ type, block, delta }: Extract<StreamPart, { type: 'text' | 'refusal' }>): string {
    let text = '';
    if (this.#open?.block !== block) {
      text = this.endPart();
      this.#open = { block, type, text: '', annotations: [] };
      text += this.events.write('response.content_part.added', { ...this.#place, part: contentPart(this.#open) });
    }
    const open = this.#open as OpenPart;
    open.text += delta;
    return type === 'refusal'
      ? text + this.events.delta('response.refusal.delta', this.#place, delta)
      : text + this.events.delta('response.output_text.delta', { ...this.#place, logprobs: [] }, delta);
  }

  citation(block: number, citation: Citation): string {
    if (this.#open?.block !== block) return '';
    const annotation = annotationOf(citation);
    this.#open.annotations.push(annotation);
    return this.events.write('response.output_text.annotation.added', {
      ...this.#place,
      annotation_index: this.#open.annotations.length - 1,
      annotation,
    });
  }

  endPart(): string {
    const open = this.#open;
    if (open === undefined) return '';
    const part = contentPart(open);
    const done =
      open.type === 'refusal'
        ? this.events.write('response.refusal.done', { ...this.#place, refusal: open.text })
        : this.events.write('response.output_text.done', { ...this.#place, text: open.text, logprobs: [] });
    const end = this.events.write('response.content_part.done', { ...this.#place, part });
    this.#open = undefined;
    this.#parts.push(part);
    return done + end;
  }

  get #place() {
    return { item_id: this.id, output_index: this.index, content_index: this.#parts.length };
  }
}
