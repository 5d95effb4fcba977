import type { JsonObject } from '../tool.js';
import type { StreamAssembler } from './collect-stream.js';

type Block = Record<string, unknown>;

export interface AssembledMessage extends JsonObject {
  readonly content: readonly JsonObject[];
}

/** Assembles a message of the native messages format from its events. Includes blocks of unknown types. */
export class MessageAssembler implements StreamAssembler<AssembledMessage> {
  #message: JsonObject | undefined;
  readonly #blocks: Block[] = [];
  /** JSON of each tool input so far, by block index: it arrives in fragments. */
  readonly #inputs = new Map<number, string>();
  #hasEnded = false;

  add(event: JsonObject): string {
    switch (event.type) {
      case 'message_start':
        this.#message = event.message as JsonObject;
        return '';
      case 'content_block_start':
        this.#blocks[event.index as number] = { ...(event.content_block as Block) };
        return '';
      case 'content_block_delta':
        return this.#addDelta(event.index as number, event.delta as JsonObject);
      case 'message_delta':
        this.#addEnd(event);
        return '';
      case 'message_stop':
        this.#hasEnded = true;
        return '';
      default:
        return '';
    }
  }

  result(): AssembledMessage | undefined {
    if (!this.#hasEnded || this.#message === undefined) return undefined;
    const content = this.#blocks.map((block, index) => {
      const input = this.#inputs.get(index);
      return input === undefined || input === '' ? block : { ...block, input: JSON.parse(input) as unknown };
    });
    return { ...this.#message, content };
  }

  #addDelta(index: number, { type, ...delta }: JsonObject): string {
    const block = this.#blocks[index];
    if (block === undefined) return '';
    if (type === 'input_json_delta') {
      this.#inputs.set(index, (this.#inputs.get(index) ?? '') + String(delta.partial_json));
    } else if (type === 'citations_delta') {
      block.citations = [...((block.citations as unknown[] | undefined) ?? []), delta.citation];
    } else {
      // A delta's field names the block's field to extend: `text`, `thinking`, `signature`.
      for (const [field, more] of Object.entries(delta)) {
        block[field] = typeof more === 'string' ? String(block[field] ?? '') + more : more;
      }
    }
    return type === 'text_delta' ? String(delta.text) : '';
  }

  #addEnd({ delta, usage }: JsonObject): void {
    const known = this.#message ?? {};
    this.#message = {
      ...known,
      ...(delta as JsonObject | undefined),
      usage: { ...(known.usage as JsonObject | undefined), ...(usage as JsonObject | undefined) },
    };
  }
}
