import type { Chunk } from '../../completion/chunks.js';
import type { Completion } from '../../completion/completion.js';
import type { StreamScript } from '../vendor-emulator.js';
import { type CompatIdentity, compatUsage, finishReason, newToolCallId } from './chat-completion.js';
import { errorBody, INTERNAL_ERROR } from './dashscope-errors.js';

/** The chunks of one answer: thinking first, each delta naming the other channel as null. */
class CompatStream implements StreamScript {
  readonly #tail: string;

  constructor(
    private readonly identity: CompatIdentity,
    private readonly completion: Completion,
    private readonly includesUsage: boolean,
  ) {
    const { created, model, id } = identity;
    this.#tail = `,"object":"chat.completion.chunk","created":${created},"system_fingerprint":null,"model":"${model}","id":"${id}"}\n\n`;
  }

  open(): string {
    return this.identity.thinks
      ? this.#frame('{"content":null,"role":"assistant","reasoning_content":""}')
      : this.#frame('{"content":"","role":"assistant"}');
  }

  chunk(chunk: Chunk): string {
    const text = JSON.stringify(chunk.text);
    switch (chunk.kind) {
      case 'thinking':
        return this.#frame(`{"content":null,"reasoning_content":${text}}`);
      case 'text':
        return this.#frame(
          this.identity.thinks ? `{"content":${text},"reasoning_content":null}` : `{"content":${text}}`,
        );
      case 'tool':
        return this.#tool(chunk, text);
    }
  }

  close(): string {
    const delta = this.identity.thinks ? '{"content":"","reasoning_content":null}' : '{"content":""}';
    const last = this.#frame(delta, `"${finishReason(this.completion)}"`);
    const usage =
      this.includesUsage && !this.identity.hidesUsage
        ? `data: {"choices":[],"usage":${JSON.stringify(compatUsage(this.completion.counts, this.identity))}${this.#tail}`
        : '';
    return `${last}${usage}data: [DONE]\n\n`;
  }

  fail(): string {
    return `data: ${errorBody(INTERNAL_ERROR, this.identity.id.replace('chatcmpl-', ''))}\n\n`;
  }

  /** Later pieces of a call carry an empty id, not none. */
  #tool(chunk: Chunk, text: string): string {
    const id = chunk.isFirst ? newToolCallId() : '';
    const name = chunk.isFirst ? `,"name":${JSON.stringify(this.completion.toolCalls[chunk.tool]?.name)}` : '';
    return this.#frame(
      `{"content":null,"tool_calls":[{"index":${chunk.tool},"id":"${id}","type":"function","function":{"arguments":${text}${name}}}]}`,
    );
  }

  #frame(delta: string, finish = 'null'): string {
    return `data: {"choices":[{"delta":${delta},"index":0,"logprobs":null,"finish_reason":${finish}}],"usage":null${this.#tail}`;
  }
}

export const chatStream = (identity: CompatIdentity, completion: Completion, includesUsage: boolean): StreamScript =>
  new CompatStream(identity, completion, includesUsage);
