import type { ChatDelta, ChatFinishReason, ChatUsage } from '@gateway/contracts';

export interface CompletionHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  /** The public model id. */
  readonly model: string;
}

/** The event that ends a stream of chunks. */
export const DONE_EVENT = 'data: [DONE]\n\n';

/**
 * Writes `chat.completion.chunk` events of one answer. Everything that all chunks share is written once, so that
 * a piece of text costs one JSON.stringify of that text.
 */
export class ChunkEncoder {
  readonly #head: string;
  readonly #beforeDelta: string;
  readonly #beforeContent: string;
  readonly #beforeReasoning: string;
  readonly #afterDelta: string;
  readonly #afterFinish: string;

  /** With `withUsage` every chunk has `usage: null` and the last one the counts, as the client asked. */
  constructor(head: CompletionHead, withUsage: boolean) {
    const { id, created, model } = head;
    const fields = JSON.stringify({ id, object: 'chat.completion.chunk', created, model });
    const end = `${withUsage ? ',"usage":null' : ''}}\n\n`;
    this.#head = `data: ${fields.slice(0, -1)},"choices":[`;
    this.#beforeDelta = `${this.#head}{"index":0,"delta":`;
    this.#beforeContent = `${this.#beforeDelta}{"content":`;
    this.#beforeReasoning = `${this.#beforeDelta}{"reasoning_content":`;
    this.#afterDelta = `,"logprobs":null,"finish_reason":null}]${end}`;
    this.#afterFinish = `}]${end}`;
  }

  role(): string {
    return this.delta({ role: 'assistant', content: '' });
  }

  content(text: string): string {
    return `${this.#beforeContent}${JSON.stringify(text)}}${this.#afterDelta}`;
  }

  reasoning(text: string): string {
    return `${this.#beforeReasoning}${JSON.stringify(text)}}${this.#afterDelta}`;
  }

  toolArguments(index: number, piece: string): string {
    return this.delta({ tool_calls: [{ index, function: { arguments: piece } }] });
  }

  /** `extra` are fields of a vendor that the client has to send back with the call. */
  toolCall(index: number, id: string, name: string, args: string, extra: object = {}): string {
    return this.delta({
      tool_calls: [{ index, id, type: 'function', function: { name, arguments: args }, ...extra }],
    });
  }

  delta(delta: ChatDelta): string {
    return `${this.#beforeDelta}${JSON.stringify(delta)}${this.#afterDelta}`;
  }

  finish(reason: ChatFinishReason): string {
    return `${this.#beforeDelta}{},"logprobs":null,"finish_reason":"${reason}"${this.#afterFinish}`;
  }

  usage(usage: ChatUsage): string {
    return `${this.#head}],"usage":${JSON.stringify(usage)}}\n\n`;
  }
}
