import type { ChatFinishReason, ChatUsage } from '@gateway/contracts';

/** First fields of a `chat.completion` and of each of its chunks. */
export interface CompletionHead {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  /** Public model id. */
  readonly model: string;
}

/**
 * Encodes the `chat.completion.chunk` events of one response. Encodes the shared fields once, so that a text delta costs
 * one JSON.stringify of its text.
 */
export class ChunkEncoder {
  readonly #head: string;
  readonly #beforeDelta: string;
  readonly #beforeContent: string;
  readonly #beforeReasoning: string;
  readonly #afterDelta: string;
  readonly #afterFinish: string;

  /** `withUsage`: each chunk has `usage: null` and the last one the counts, as `stream_options.include_usage` requires. */
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

  content(text: string): string {
    return `${this.#beforeContent}${JSON.stringify(text)}}${this.#afterDelta}`;
  }

  /** In both fields that clients read. `index`: of the thought among those of the response. */
  reasoning(text: string, index: number): string {
    const json = JSON.stringify(text);
    const details = `[{"type":"reasoning.text","text":${json},"index":${index}}]`;
    return `${this.#beforeReasoning}${json},"reasoning_details":${details}}${this.#afterDelta}`;
  }

  delta(delta: object): string {
    return `${this.#beforeDelta}${JSON.stringify(delta)}${this.#afterDelta}`;
  }

  finish(reason: ChatFinishReason): string {
    return `${this.#beforeDelta}{},"logprobs":null,"finish_reason":"${reason}"${this.#afterFinish}`;
  }

  usage(usage: ChatUsage): string {
    return `${this.#head}],"usage":${JSON.stringify(usage)}}\n\n`;
  }
}
