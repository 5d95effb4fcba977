import type { Chunk } from '../../completion/chunks.js';
import type { Completion } from '../../completion/completion.js';
import type { StreamScript } from '../vendor-emulator.js';
import { SERVER_ERROR } from './openai-errors.js';
import { finalStatus, type OutputItem, outputItems, type ResponseIdentity, responseObject } from './response-object.js';

const PADDINGS = ['QnnveCQott0Wx', 'G92uUkJy', 'x7', 'LpW3s', 'vv0Q1zR'].map((pad) => `,"obfuscation":"${pad}"`);
export type ResponseStreamOptions = Readonly<{ isObfuscated: boolean; hidesUsage: boolean }>;

/** Named events, numbered from 0. */
export class ResponseStream implements StreamScript {
  readonly #items: readonly OutputItem[];
  #sequence = 0;
  #index = 0;

  constructor(
    private readonly identity: ResponseIdentity,
    private readonly completion: Completion,
    private readonly options: ResponseStreamOptions,
  ) {
    this.#items = outputItems(completion);
  }

  open(): string {
    const response = responseObject(this.identity, 'in_progress', [], null);
    const start = this.#event('response.created', { response }) + this.#event('response.in_progress', { response });
    const [first] = this.#items;
    return first?.type === 'reasoning' && this.completion.thinking === ''
      ? start + this.#itemAdded(first) + this.#itemDone(first)
      : start;
  }

  chunk(chunk: Chunk): string {
    const item = this.#items[this.#index];
    if (item === undefined) return '';
    switch (chunk.kind) {
      case 'thinking':
        return this.#thinking(item, chunk);
      case 'text':
        return this.#text(item, chunk);
      case 'tool':
        return this.#tool(item, chunk);
    }
  }

  close(): string {
    const status = finalStatus(this.completion);
    const counts = this.options.hidesUsage ? null : this.completion.counts;
    const response = responseObject(this.identity, status, this.#items, counts);
    return this.#event(`response.${status}`, { response });
  }

  fail(): string {
    const { message } = SERVER_ERROR;
    const error = { type: 'server_error', code: 'server_error', message, param: null };
    const response = responseObject(this.identity, 'failed', [], null);
    return this.#event('error', { error }) + this.#event('response.failed', { response });
  }

  #event(type: string, fields: object): string {
    const data = JSON.stringify({ type, sequence_number: this.#sequence, ...fields });
    this.#sequence += 1;
    return `event: ${type}\ndata: ${data}\n\n`;
  }

  /** A template, for speed. `place` is JSON without braces. */
  #delta(type: string, item: OutputItem, place: string, text: string): string {
    const padding = this.options.isObfuscated ? (PADDINGS[this.#sequence % PADDINGS.length] ?? '') : '';
    const frame = `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.#sequence},"item_id":"${item.id}","output_index":${this.#index},${place}"delta":${JSON.stringify(text)}${padding}}\n\n`;
    this.#sequence += 1;
    return frame;
  }

  #itemAdded(item: OutputItem): string {
    const emptied = {
      reasoning: { summary: [] },
      message: { status: 'in_progress', content: [] },
      function_call: { status: 'in_progress', arguments: '' },
    }[item.type];
    return this.#event('response.output_item.added', { output_index: this.#index, item: { ...item, ...emptied } });
  }

  #itemDone(item: OutputItem): string {
    const done = this.#event('response.output_item.done', { output_index: this.#index, item });
    this.#index += 1;
    return done;
  }

  #thinking(item: OutputItem, chunk: Chunk): string {
    const place = { item_id: item.id, output_index: this.#index, summary_index: 0 };
    let frames = '';
    if (chunk.isFirst) {
      const part = { type: 'summary_text', text: '' };
      frames += this.#itemAdded(item) + this.#event('response.reasoning_summary_part.added', { ...place, part });
    }
    frames += this.#delta('response.reasoning_summary_text.delta', item, '"summary_index":0,', chunk.text);
    if (chunk.isLast) {
      const text = this.completion.thinking;
      frames += this.#event('response.reasoning_summary_text.done', { ...place, text });
      frames += this.#event('response.reasoning_summary_part.done', { ...place, part: { type: 'summary_text', text } });
      frames += this.#itemDone(item);
    }
    return frames;
  }

  #text(item: OutputItem, chunk: Chunk): string {
    const place = { item_id: item.id, output_index: this.#index, content_index: 0 };
    const part = { type: 'output_text', annotations: [], logprobs: [], text: '' };
    let frames = '';
    if (chunk.isFirst) frames += this.#itemAdded(item) + this.#event('response.content_part.added', { ...place, part });
    frames += this.#delta('response.output_text.delta', item, '"content_index":0,"logprobs":[],', chunk.text);
    if (chunk.isLast) {
      const { text } = this.completion;
      frames += this.#event('response.output_text.done', { ...place, text, logprobs: [] });
      frames += this.#event('response.content_part.done', { ...place, part: { ...part, text } });
      frames += this.#itemDone(item);
    }
    return frames;
  }

  #tool(item: OutputItem, chunk: Chunk): string {
    let frames = chunk.isFirst ? this.#itemAdded(item) : '';
    frames += this.#delta('response.function_call_arguments.delta', item, '', chunk.text);
    if (chunk.isLast) {
      frames += this.#event('response.function_call_arguments.done', {
        item_id: item.id,
        output_index: this.#index,
        name: item.name,
        arguments: item.arguments,
      });
      frames += this.#itemDone(item);
    }
    return frames;
  }
}
