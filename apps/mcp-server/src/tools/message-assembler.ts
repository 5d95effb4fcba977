import type { JsonObject } from '../tool.js';
import type { StreamAssembly } from './follow-stream.js';

type Block = Record<string, unknown>;

export interface WholeMessage extends JsonObject {
  readonly content: readonly JsonObject[];
}

/** An answer of the native messages format from its events, with whatever kinds of block its vendor adds. */
export class MessageAssembly implements StreamAssembly<WholeMessage> {
  #message: JsonObject | undefined;
  readonly #blocks: Block[] = [];
  /** The input of a tool comes as pieces of its JSON. */
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

  whole(): WholeMessage | undefined {
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
      // `text_delta` has `text`, `thinking_delta` `thinking`, `signature_delta` `signature`: each grows the field of its name.
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
