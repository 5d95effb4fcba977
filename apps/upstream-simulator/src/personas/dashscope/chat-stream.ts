import type { Answer } from '../../answer/answer.js';
import type { Piece } from '../../answer/pieces.js';
import type { StreamScript } from '../persona.js';
import { type CompatIdentity, compatUsage, finishReason, newToolCallId } from './chat-completion.js';
import { errorBody, INTERNAL_ERROR } from './dashscope-errors.js';

/** The chunks of one answer: thinking first, each delta naming the other channel as null. */
class CompatStream implements StreamScript {
  readonly #tail: string;

  constructor(
    private readonly identity: CompatIdentity,
    private readonly answer: Answer,
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

  chunk(piece: Piece): string {
    const text = JSON.stringify(piece.text);
    switch (piece.kind) {
      case 'thinking':
        return this.#frame(`{"content":null,"reasoning_content":${text}}`);
      case 'text':
        return this.#frame(
          this.identity.thinks ? `{"content":${text},"reasoning_content":null}` : `{"content":${text}}`,
        );
      case 'tool':
        return this.#tool(piece, text);
    }
  }

  close(): string {
    const delta = this.identity.thinks ? '{"content":"","reasoning_content":null}' : '{"content":""}';
    const last = this.#frame(delta, `"${finishReason(this.answer)}"`);
    const usage =
      this.includesUsage && !this.identity.hidesUsage
        ? `data: {"choices":[],"usage":${JSON.stringify(compatUsage(this.answer.counts, this.identity))}${this.#tail}`
        : '';
    return `${last}${usage}data: [DONE]\n\n`;
  }

  fail(): string {
    return `data: ${errorBody(INTERNAL_ERROR, this.identity.id.replace('chatcmpl-', ''))}\n\n`;
  }

  /** Later pieces of a call carry an empty id, not none. */
  #tool(piece: Piece, text: string): string {
    const id = piece.isFirst ? newToolCallId() : '';
    const name = piece.isFirst ? `,"name":${JSON.stringify(this.answer.toolCalls[piece.tool]?.name)}` : '';
    return this.#frame(
      `{"content":null,"tool_calls":[{"index":${piece.tool},"id":"${id}","type":"function","function":{"arguments":${text}${name}}}]}`,
    );
  }

  #frame(delta: string, finish = 'null'): string {
    return `data: {"choices":[{"delta":${delta},"index":0,"logprobs":null,"finish_reason":${finish}}],"usage":null${this.#tail}`;
  }
}

export const chatStream = (identity: CompatIdentity, answer: Answer, includesUsage: boolean): StreamScript =>
  new CompatStream(identity, answer, includesUsage);
