import { isJsonObject, parseExactJson, type VendorData } from '@gateway/contracts';
import type { BlockWriter } from '../answer-parts/block-writer.js';
import { malformedResponse, stringifyUpstreamJson } from '../failures/malformed-response.js';
import { citationOf } from './citation.js';
import { redacted, signed } from './thinking-blocks.js';
import type { BlockDelta, EventOf, ReplyBlock } from './wire.js';

interface OpenTool {
  /** Block of the answer. */
  readonly block: number;
  /** JSON of `input` at the start of the block: the arguments if no delta follows. */
  readonly initialInput: string;
  hasInput: boolean;
}

/** A block of a tool that the vendor ran. It is passed on whole, with the input that arrives in pieces. */
interface OpenVendorBlock {
  readonly start: ReplyBlock;
  json: string;
}

/** Decodes the content blocks of a streamed message, by their index. */
export class BlockDecoder {
  readonly #tools = new Map<number, OpenTool>();
  readonly #vendorBlocks = new Map<number, OpenVendorBlock>();
  #signature: VendorData | undefined;

  constructor(private readonly blocks: BlockWriter) {}

  start({ index, content_block: block }: EventOf<'content_block_start'>): void {
    switch (block.type) {
      case 'text':
        this.blocks.text(block.text ?? '');
        return;
      case 'thinking':
        this.blocks.reasoning(block.thinking ?? '');
        return;
      case 'redacted_thinking':
        if (block.data !== undefined) this.blocks.hiddenReasoning(redacted(block.data));
        return;
      case 'tool_use':
        this.#startTool(index, block);
        return;
      default:
        this.#vendorBlocks.set(index, { start: block, json: '' });
    }
  }

  delta({ index, delta }: BlockDelta): void {
    switch (delta.type) {
      case 'text_delta':
        this.blocks.text(required(delta.text));
        return;
      case 'thinking_delta':
        this.blocks.reasoning(required(delta.thinking));
        return;
      case 'signature_delta':
        if (delta.signature) this.#signature = signed(required(delta.signature));
        return;
      case 'citations_delta':
        this.#citation(delta);
        return;
      case 'input_json_delta':
        this.#input(index, required(delta.partial_json));
        return;
      default:
      // The vendor adds kinds of deltas.
    }
  }

  stop(index: number): void {
    const tool = this.#tools.get(index);
    if (tool !== undefined && !tool.hasInput) this.#input(index, tool.initialInput);
    const vendorBlock = this.#vendorBlocks.get(index);
    if (vendorBlock !== undefined) {
      this.#vendorBlocks.delete(index);
      this.blocks.whole({ type: 'vendor', vendor: { protocol: 'anthropic-messages', data: withInput(vendorBlock) } });
      return;
    }
    this.#end();
  }

  /** A thinking block without text still has its signature. */
  #end(): void {
    const signature = this.#signature;
    this.#signature = undefined;
    if (signature !== undefined && !this.blocks.isOpen) this.blocks.hiddenReasoning(signature);
    else this.blocks.end(signature);
  }

  #startTool(index: number, { id, name, input }: ReplyBlock): void {
    if (id === undefined || name === undefined) throw malformedResponse();
    const initialInput = stringifyUpstreamJson(input ?? {});
    const block = this.blocks.toolCall({ id, name, kind: 'function' });
    this.#tools.set(index, { block, initialInput, hasInput: false });
  }

  #citation(delta: BlockDelta['delta']): void {
    const citation = citationOf(delta.citation);
    if (citation !== undefined) this.blocks.citation(citation);
  }

  #input(index: number, fragment: string): void {
    const vendorBlock = this.#vendorBlocks.get(index);
    if (vendorBlock !== undefined) vendorBlock.json += fragment;
    const tool = this.#tools.get(index);
    if (tool === undefined || fragment === '') return;
    tool.hasInput = true;
    this.blocks.toolInput(tool.block, fragment);
  }
}

function withInput({ start, json }: OpenVendorBlock): ReplyBlock {
  if (json === '') return start;
  try {
    const input: unknown = parseExactJson(json);
    return isJsonObject(input) ? { ...start, input } : start;
  } catch {
    // The vendor's own tool had malformed input: the block stays as it began.
    return start;
  }
}

function required(text: unknown): string {
  if (typeof text !== 'string') throw malformedResponse();
  return text;
}
