import type { MessagesUsage, StopDetails, StopReason } from '@gateway/contracts';

type Kind = 'thinking' | 'text' | 'tool_use';

const START = {
  thinking: { type: 'thinking', thinking: '', signature: '' },
  text: { type: 'text', text: '' },
} as const;

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

/** Encodes the events of one message. Closes each block before it opens the next. */
export class MessageEvents {
  #index = -1;
  #open: Kind | undefined;

  start(id: string, model: string, usage: MessagesUsage): string {
    const message = { id, type: 'message', role: 'assistant', model, content: [] };
    const open = { stop_reason: null, stop_sequence: null, usage };
    return event('message_start', { message: { ...message, ...open } }) + event('ping', {});
  }

  thinking(thinking: string): string {
    return this.#ensure('thinking') + this.#delta({ type: 'thinking_delta', thinking });
  }

  text(text: string): string {
    return this.#ensure('text') + this.#delta({ type: 'text_delta', text });
  }

  /** Opens a tool use block. `toolInput` refers to it by the returned index. */
  toolUse(id: string, name: string): { readonly events: string; readonly index: number } {
    const closed = this.close();
    const events = closed + this.#start('tool_use', { type: 'tool_use', id, name, input: {} });
    return { events, index: this.#index };
  }

  /** A fragment may belong to an earlier tool call, so the event names its block. */
  toolInput(index: number, fragment: string): string {
    return this.#delta({ type: 'input_json_delta', partial_json: fragment }, index);
  }

  close(): string {
    if (this.#open === undefined) return '';
    const signature = this.#open === 'thinking' ? this.#delta({ type: 'signature_delta', signature: '' }) : '';
    this.#open = undefined;
    return signature + event('content_block_stop', { index: this.#index });
  }

  end(stopReason: StopReason, stopDetails: StopDetails | null, usage: MessagesUsage): string {
    const delta = { stop_reason: stopReason, stop_sequence: null, stop_details: stopDetails };
    return this.close() + event('message_delta', { delta, usage }) + event('message_stop', {});
  }

  #ensure(kind: 'thinking' | 'text'): string {
    return this.#open === kind ? '' : this.close() + this.#start(kind, START[kind]);
  }

  #start(kind: Kind, block: object): string {
    this.#index += 1;
    this.#open = kind;
    return event('content_block_start', { index: this.#index, content_block: block });
  }

  #delta(delta: object, index = this.#index): string {
    return event('content_block_delta', { index, delta });
  }
}
