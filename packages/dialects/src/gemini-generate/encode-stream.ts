import type {
  AnswerEncoder,
  AnswerFrame,
  AnswerHead,
  Citation,
  NeutralFinish,
  ReasoningPart,
  StreamPart,
  TokenCounts,
  VendorData,
} from '@gateway/contracts';
import { argsOf, citationMetadataOf, finishReasonOf, identityOf, usageMetadataOf } from './answer-frame.js';
import type { GenerateView } from './decode-request.js';
import { mediaPart } from './encode-answer.js';
import { signatureOf } from './thought-signature.js';

export const openEncoder = (frame: AnswerFrame<GenerateView>): AnswerEncoder => new ContentStream(frame);

type Part<Type extends StreamPart['type']> = Extract<StreamPart, { type: Type }>;

interface OpenCall {
  readonly call: Part<'tool-call'>;
  input: string;
}

/** Google counts in every event, and strict clients refuse one without counts. Other vendors count at the end only. */
const NOT_COUNTED = { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 };

/** Writes an answer as events, each with the new parts, or as the elements of one array. */
class ContentStream implements AnswerEncoder {
  readonly #calls = new Map<number, OpenCall>();
  /** The text of each open block of reasoning. */
  readonly #reasoning = new Map<number, string>();
  readonly #citations: Citation[] = [];
  /** Thoughts that the next call, or the end, carries back to their vendor. */
  #thoughts: ReasoningPart[] = [];
  #identity: object = {};
  #hasWritten = false;
  #finish: NeutralFinish = 'stop';

  constructor(private readonly frame: AnswerFrame<GenerateView>) {}

  open({ id }: AnswerHead): string {
    this.#identity = identityOf(id, this.frame);
    return '';
  }

  part(part: StreamPart): string {
    switch (part.type) {
      case 'text':
      case 'refusal':
        return this.#parts({ text: part.delta });
      case 'reasoning':
        return this.#think(part.block, part.delta);
      case 'citation':
        this.#citations.push(part.citation);
        return '';
      case 'tool-call':
        this.#calls.set(part.block, { call: part, input: '' });
        return '';
      case 'tool-input':
        this.#input(part);
        return '';
      case 'part':
        return part.part.type === 'media' ? this.#parts(...mediaPart(part.part)) : '';
      case 'end':
        return this.#end(part);
      case 'finish':
        this.#finish = part.reason;
        return '';
    }
  }

  /** The last event has the finish reason and the counts. */
  close(counts: TokenCounts): string {
    const signature = signatureOf({ thoughts: this.#thoughts });
    const last = { text: '', ...(signature !== undefined && { thoughtSignature: signature }) };
    const candidate = {
      content: { role: 'model', parts: [last] },
      finishReason: finishReasonOf(this.#finish),
      index: 0,
      ...citationMetadataOf(this.#citations),
    };
    const written = this.#event({ candidates: [candidate], usageMetadata: usageMetadataOf(counts), ...this.#identity });
    return this.frame.view.framing === 'array' ? `${written}]` : written;
  }

  #think(block: number, delta: string): string {
    this.#reasoning.set(block, (this.#reasoning.get(block) ?? '') + delta);
    return this.frame.view.includesThoughts ? this.#parts({ text: delta, thought: true }) : '';
  }

  #input({ block, delta }: Part<'tool-input'>): void {
    const open = this.#calls.get(block);
    if (open !== undefined) open.input += delta;
  }

  #end({ block, of, vendor }: Part<'end'>): string {
    if (of === 'reasoning') this.#endThought(block, vendor);
    const open = this.#calls.get(block);
    if (of !== 'tool-call' || open === undefined) return '';
    const { id, name, kind, vendor: signed } = open.call;
    const signature = signatureOf({ thoughts: this.#thoughts, vendor: signed });
    this.#thoughts = [];
    const args = kind === 'custom' ? { input: open.input } : argsOf(open.input);
    return this.#parts({
      functionCall: { id, name, args },
      ...(signature !== undefined && { thoughtSignature: signature }),
    });
  }

  #endThought(block: number, vendor: VendorData | undefined): void {
    this.#thoughts.push({ type: 'reasoning', text: this.#reasoning.get(block) ?? '', vendor });
    this.#reasoning.delete(block);
  }

  #parts(...parts: readonly object[]): string {
    if (parts.length === 0) return '';
    const candidate = { content: { role: 'model', parts }, index: 0 };
    return this.#event({ candidates: [candidate], usageMetadata: NOT_COUNTED, ...this.#identity });
  }

  #event(response: object): string {
    const json = JSON.stringify(response);
    const isFirst = !this.#hasWritten;
    this.#hasWritten = true;
    if (this.frame.view.framing !== 'array') return `data: ${json}\n\n`;
    return `${isFirst ? '[' : ',\r\n'}${json}`;
  }
}
