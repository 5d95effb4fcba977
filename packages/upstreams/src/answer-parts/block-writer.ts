import type {
  BlockKind,
  Citation,
  MediaPart,
  NeutralFinish,
  StreamPart,
  VendorData,
  VendorPart,
} from '@gateway/contracts';
import type { OutputMeter } from '../metering/output-meter.js';
import type { AnswerSink } from '../protocol.js';

type ToolStart = Omit<Extract<StreamPart, { type: 'tool-call' }>, 'type' | 'block'>;

/** Numbers and ends the blocks of an answer for a decoder, and meters their text. Drops empty deltas. */
export class BlockWriter {
  #last = -1;
  #open: BlockKind | undefined;

  constructor(
    private readonly sink: AnswerSink,
    private readonly meter: OutputMeter,
  ) {}

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  text(delta: string): void {
    this.#delta('text', delta);
  }

  refusal(delta: string): void {
    this.#delta('refusal', delta);
  }

  reasoning(delta: string): void {
    if (delta === '') return;
    this.meter.addReasoning(delta);
    this.sink.part({ type: 'reasoning', block: this.#enter('reasoning'), delta });
  }

  /** A source of the open text. */
  citation(citation: Citation): void {
    if (this.#open === 'text') this.sink.part({ type: 'citation', block: this.#last, citation });
  }

  /** Begins a tool call, and returns its block for `toolInput`. */
  toolCall(call: ToolStart): number {
    this.end();
    this.meter.addText(call.name);
    const block = this.#enter('tool-call');
    this.sink.part({ type: 'tool-call', block, ...call });
    return block;
  }

  toolInput(block: number, delta: string): void {
    if (delta === '') return;
    this.meter.addText(delta);
    this.sink.part({ type: 'tool-input', block, delta });
  }

  /** A whole block. Its tokens are in the upstream's counts only. */
  whole(part: MediaPart | VendorPart): void {
    this.end();
    this.#last += 1;
    this.sink.part({ type: 'part', block: this.#last, part });
  }

  /** Reasoning that the vendor shows no text of. */
  hiddenReasoning(vendor: VendorData): void {
    this.end();
    this.#enter('reasoning');
    this.end(vendor);
  }

  /** Ends the open block, if any. */
  end(vendor?: VendorData): void {
    if (this.#open === undefined) return;
    const of = this.#open;
    this.#open = undefined;
    this.sink.part({ type: 'end', block: this.#last, of, vendor });
  }

  finish(reason: NeutralFinish, stopSequence?: string): void {
    this.end();
    this.sink.part({ type: 'finish', reason, stopSequence });
  }

  #delta(kind: 'text' | 'refusal', delta: string): void {
    if (delta === '') return;
    this.meter.addText(delta);
    this.sink.part({ type: kind, block: this.#enter(kind), delta });
  }

  #enter(kind: BlockKind): number {
    if (this.#open !== kind) {
      this.end();
      this.#open = kind;
      this.#last += 1;
    }
    return this.#last;
  }
}
