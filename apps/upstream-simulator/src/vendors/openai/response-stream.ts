import type { Chunk } from '../../completion/chunks.js';
import { fieldsOf, listOf, textOf } from '../../json/fields.js';
import type { StreamScript } from '../vendor-emulator.js';
import { SERVER_ERROR } from './openai-errors.js';
import type { OutputItem } from './response-items.js';
import {
  failedResponse,
  finishedResponse,
  type ResponseDraft,
  type ResponseError,
  startedResponse,
} from './response-object.js';

const PADDINGS = ['QnnveCQott0Wx', 'G92uUkJy', 'x7', 'LpW3s', 'vv0Q1zR'].map((pad) => `,"obfuscation":"${pad}"`);
export type ResponseStreamOptions = Readonly<{ isObfuscated: boolean; error: ResponseError | undefined }>;

/** The field of a call that its deltas carry, by the type of the item. */
const CALL_INPUTS: Readonly<Record<string, readonly [event: string, field: string]>> = {
  function_call: ['response.function_call_arguments', 'arguments'],
  custom_tool_call: ['response.custom_tool_call_input', 'input'],
};

const hasNoText = ({ type, summary }: OutputItem): boolean =>
  type === 'web_search_call' || (type === 'reasoning' && listOf(summary).length === 0);

/** An item as it begins. The documentation says that encrypted content may be incomplete there. */
const begun = (item: OutputItem): object => {
  const content = textOf(item.encrypted_content);
  const emptied: Readonly<Record<string, object>> = {
    reasoning: { summary: [], encrypted_content: content.slice(0, content.length / 2) },
    message: { status: 'in_progress', content: [] },
    function_call: { status: 'in_progress', arguments: '' },
    custom_tool_call: { status: 'in_progress', input: '' },
    web_search_call: { status: 'in_progress' },
  };
  return { ...item, ...emptied[item.type] };
};

/** Named events, numbered from 0. */
export class ResponseStream implements StreamScript {
  readonly #items: readonly OutputItem[];
  #sequence = 0;
  #index = 0;

  constructor(
    private readonly draft: ResponseDraft,
    private readonly options: ResponseStreamOptions,
  ) {
    this.#items = draft.items;
  }

  open(): string {
    const response = startedResponse(this.draft);
    let frames = this.#event('response.created', { response }) + this.#event('response.in_progress', { response });
    for (let item = this.#items[0]; item !== undefined && hasNoText(item); item = this.#items[this.#index]) {
      frames += this.#itemAdded(item) + this.#searchEvents(item) + this.#itemDone(item);
    }
    return frames;
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
    const response = finishedResponse(this.draft);
    return this.#event(`response.${response.status}`, { response });
  }

  /** A failure of the server has an `error` event of its own. */
  fail(): string {
    const { message } = SERVER_ERROR;
    const error = { type: 'server_error', code: 'server_error', message, param: null };
    const event = this.options.error === undefined ? this.#event('error', { error }) : '';
    const response = failedResponse(this.draft, this.options.error ?? { code: 'server_error', message });
    return event + this.#event('response.failed', { response });
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
    return this.#event('response.output_item.added', { output_index: this.#index, item: begun(item) });
  }

  #itemDone(item: OutputItem): string {
    const done = this.#event('response.output_item.done', { output_index: this.#index, item });
    this.#index += 1;
    return done;
  }

  #searchEvents(item: OutputItem): string {
    if (item.type !== 'web_search_call') return '';
    const place = { item_id: item.id, output_index: this.#index };
    const steps = ['in_progress', 'searching', 'completed'];
    return steps.map((step) => this.#event(`response.web_search_call.${step}`, place)).join('');
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
      const text = this.draft.work.completion.thinking;
      frames += this.#event('response.reasoning_summary_text.done', { ...place, text });
      frames += this.#event('response.reasoning_summary_part.done', { ...place, part: { type: 'summary_text', text } });
      frames += this.#itemDone(item);
    }
    return frames;
  }

  #text(item: OutputItem, chunk: Chunk): string {
    if (item.type === 'compaction') return chunk.isLast ? this.#itemAdded(item) + this.#itemDone(item) : '';
    const part = fieldsOf(listOf(item.content)[0]);
    const place = { item_id: item.id, output_index: this.#index, content_index: 0 };
    const isRefusal = part.type === 'refusal';
    const opened = isRefusal ? { ...part, refusal: '' } : { ...part, annotations: [], text: '' };
    let frames = '';
    if (chunk.isFirst) {
      frames += this.#itemAdded(item) + this.#event('response.content_part.added', { ...place, part: opened });
    }
    frames += isRefusal
      ? this.#delta('response.refusal.delta', item, '"content_index":0,', chunk.text)
      : this.#delta('response.output_text.delta', item, '"content_index":0,"logprobs":[],', chunk.text);
    if (chunk.isLast) {
      listOf(part.annotations).forEach((annotation, annotation_index) => {
        frames += this.#event('response.output_text.annotation.added', { ...place, annotation_index, annotation });
      });
      frames += isRefusal
        ? this.#event('response.refusal.done', { ...place, refusal: part.refusal })
        : this.#event('response.output_text.done', { ...place, text: part.text, logprobs: [] });
      frames += this.#event('response.content_part.done', { ...place, part }) + this.#itemDone(item);
    }
    return frames;
  }

  #tool(item: OutputItem, chunk: Chunk): string {
    const [event, field] = CALL_INPUTS[item.type] ?? ['', ''];
    let frames = chunk.isFirst ? this.#itemAdded(item) : '';
    frames += this.#delta(`${event}.delta`, item, '', chunk.text);
    if (chunk.isLast) {
      frames += this.#event(`${event}.done`, {
        item_id: item.id,
        output_index: this.#index,
        ...(field === 'arguments' && { name: item.name }),
        [field]: item[field],
      });
      frames += this.#itemDone(item);
    }
    return frames;
  }
}
