import type { ToolKind } from '@gateway/contracts';
import type { BlockWriter } from '../answer-parts/block-writer.js';
import { malformedResponse } from '../failures/malformed-response.js';
import { citationOf } from './citation.js';
import { summaryOf, vendorDataOf } from './reasoning.js';
import type { EventOf, ReplyItem } from './wire.js';

interface StartedCall {
  readonly call_id: string;
  readonly name: string;
  readonly kind: ToolKind;
}

interface OpenCall {
  /** Block of the answer. */
  readonly block: number;
  hasInput: boolean;
}

/** Decodes the output items of a streamed response, by their index. */
export class ItemDecoder {
  readonly #calls = new Map<number, OpenCall>();

  constructor(private readonly blocks: BlockWriter) {}

  get hasToolCalls(): boolean {
    return this.#calls.size > 0;
  }

  added({ output_index: index, item }: EventOf<'response.output_item.added'>): void {
    if (item.type === 'function_call') this.#start(index, { ...item, kind: 'function' });
    else if (item.type === 'custom_tool_call') this.#start(index, { ...item, kind: 'custom' });
  }

  input({ output_index: index, delta }: EventOf<'response.function_call_arguments.delta'>): void {
    const call = this.#calls.get(index);
    if (call === undefined) throw malformedResponse();
    call.hasInput ||= delta !== '';
    this.blocks.toolInput(call.block, delta);
  }

  annotation(annotation: unknown): void {
    const citation = citationOf(annotation);
    if (citation !== undefined) this.blocks.citation(citation);
  }

  done({ output_index: index, item }: EventOf<'response.output_item.done'>): void {
    switch (item.type) {
      case 'function_call':
        this.#end(index, { ...item, kind: 'function', input: item.arguments ?? '' });
        return;
      case 'custom_tool_call':
        this.#end(index, { ...item, kind: 'custom', input: item.input ?? '' });
        return;
      case 'reasoning':
        this.#reasoning(item);
        return;
      case 'message':
        this.blocks.end();
        return;
      case 'other':
        this.blocks.whole({ type: 'vendor', vendor: { protocol: 'openai-responses', data: item.data } });
    }
  }

  #start(index: number, { call_id: id, name, kind }: StartedCall): OpenCall {
    const call = { block: this.blocks.toolCall({ id, name, kind }), hasInput: false };
    this.#calls.set(index, call);
    return call;
  }

  /** Some upstreams send the arguments, or the whole call, with the last event only. */
  #end(index: number, done: StartedCall & { readonly input: string }): void {
    const call = this.#calls.get(index) ?? this.#start(index, done);
    if (!call.hasInput) this.blocks.toolInput(call.block, done.input);
    this.blocks.end();
  }

  /** The data may come with reasoning that shows no text. */
  #reasoning(item: Extract<ReplyItem, { type: 'reasoning' }>): void {
    const vendor = vendorDataOf(item);
    if (!this.blocks.isOpen) this.blocks.reasoning(summaryOf(item));
    if (this.blocks.isOpen) this.blocks.end(vendor);
    else if (vendor !== undefined) this.blocks.hiddenReasoning(vendor);
  }
}
