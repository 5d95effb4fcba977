import {
  type AnswerEncoder,
  type AnswerFrame,
  type AnswerHead,
  chatUsageOf,
  clientToolId,
  type StreamPart,
  type TokenCounts,
  type ToolKind,
  type VendorData,
} from '@gateway/contracts';
import { annotationOf } from './annotations.js';
import { ChunkEncoder } from './chunk-encoder.js';
import { completionHead, finishReasonOf } from './completion-head.js';
import type { ChatView } from './decode-request.js';
import { vendorDetail } from './reasoning-details.js';
import { extraContentOf } from './vendor-fields.js';

const DONE_EVENT = 'data: [DONE]\n\n';

export const openEncoder = (frame: AnswerFrame<ChatView>): AnswerEncoder => new ChunkStream(frame);

/** Writes an answer as chunks: platform.openai.com/docs/api-reference/chat-streaming. */
class ChunkStream implements AnswerEncoder {
  /** Each tool call by its block. `index`: among the calls of the response. */
  readonly #calls = new Map<number, { readonly index: number; readonly kind: ToolKind }>();
  /** The index of each block of reasoning. */
  readonly #thoughts = new Map<number, number>();
  #chunks!: ChunkEncoder;

  constructor(private readonly frame: AnswerFrame<ChatView>) {}

  open(head: AnswerHead): string {
    this.#chunks = new ChunkEncoder(completionHead(head, this.frame), this.frame.view.includesUsage);
    return this.#chunks.delta({ role: 'assistant', content: '' });
  }

  part(part: StreamPart): string {
    switch (part.type) {
      case 'text':
        return this.#chunks.content(part.delta);
      case 'reasoning':
        return this.#chunks.reasoning(part.delta, this.#indexOf(part.block));
      case 'refusal':
        return this.#chunks.delta({ refusal: part.delta });
      case 'citation':
        return this.#chunks.delta({ annotations: [annotationOf(part.citation)] });
      case 'tool-call':
        return this.#toolCall(part);
      case 'tool-input':
        return this.#toolInput(part.block, part.delta);
      case 'finish':
        return this.#chunks.finish(finishReasonOf(part.reason));
      case 'end':
        return part.of === 'reasoning' && part.vendor !== undefined ? this.#endReasoning(part.block, part.vendor) : '';
      case 'part':
        return '';
    }
  }

  close(counts: TokenCounts): string {
    return (this.frame.view.includesUsage ? this.#chunks.usage(chatUsageOf(counts)) : '') + DONE_EVENT;
  }

  #endReasoning(block: number, vendor: VendorData): string {
    const hasText = this.#thoughts.has(block);
    return this.#chunks.delta({ reasoning_details: [vendorDetail(vendor, this.#indexOf(block), hasText)] });
  }

  #indexOf(block: number): number {
    const index = this.#thoughts.get(block) ?? this.#thoughts.size;
    this.#thoughts.set(block, index);
    return index;
  }

  #toolCall({ block, id, name, kind, vendor }: Extract<StreamPart, { type: 'tool-call' }>): string {
    const index = this.#calls.size;
    this.#calls.set(block, { index, kind });
    const call = kind === 'custom' ? { custom: { name, input: '' } } : { function: { name, arguments: '' } };
    const begun = { index, id: clientToolId(id, vendor), type: kind, ...call, ...extraContentOf(vendor) };
    return this.#chunks.delta({ tool_calls: [begun] });
  }

  #toolInput(block: number, delta: string): string {
    const call = this.#calls.get(block);
    const input = call?.kind === 'custom' ? { custom: { input: delta } } : { function: { arguments: delta } };
    return this.#chunks.delta({ tool_calls: [{ index: call?.index, ...input }] });
  }
}
