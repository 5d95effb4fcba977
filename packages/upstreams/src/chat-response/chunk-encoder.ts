import type { ChatDelta, ChatFinishReason, ChatUsage } from '@gateway/contracts';
import type { CompletionHead } from './completion-head.js';

/** Last event of a stream of chunks. */
export const DONE_EVENT = 'data: [DONE]\n\n';

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

  role(): string {
    return this.delta({ role: 'assistant', content: '' });
  }

  content(text: string): string {
    return `${this.#beforeContent}${JSON.stringify(text)}}${this.#afterDelta}`;
  }

  reasoning(text: string): string {
    return `${this.#beforeReasoning}${JSON.stringify(text)}}${this.#afterDelta}`;
  }

  toolArguments(index: number, fragment: string): string {
    return this.delta({ tool_calls: [{ index, function: { arguments: fragment } }] });
  }

  /** `extra`: vendor fields that the client must send back with the call. */
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
