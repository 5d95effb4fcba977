import type { ChatCompletionChunk, ChatDelta, ChatFinishReason, Usage } from '@gateway/contracts';
import { malformedAnswer } from '../failures/malformed-answer.js';
import type { StreamReader } from '../protocol.js';
import { SseDecoder } from '../sse/sse-decoder.js';
import { messageIdOf, messagesUsageOf, stopDetailsOf, stopReasonOf } from './answer-parts.js';
import { MessageEvents } from './message-events.js';
import { clientToolId } from './tool-call-id.js';

const DONE = '[DONE]';

type CallPiece = NonNullable<ChatDelta['tool_calls']>[number];

/** Turns the chunks that a chat protocol's own reader writes into the events of a message. */
export class MessageStreamReader implements StreamReader {
  readonly #decoder = new SseDecoder();
  readonly #events = new MessageEvents();
  /** Block of each call, by the call's index in the chunks. */
  readonly #blocks = new Map<number, number>();
  #hasStarted = false;
  #finish: ChatFinishReason = 'stop';
  #refusal = '';

  constructor(
    private readonly chat: StreamReader,
    private readonly withThinking: boolean,
  ) {}

  get isFinal(): boolean {
    return this.chat.isFinal;
  }

  get upstreamId(): string | undefined {
    return this.chat.upstreamId;
  }

  usage(): Usage {
    return this.chat.usage();
  }

  read(bytes: Uint8Array): Uint8Array {
    return Buffer.from(this.#translate(this.chat.read(bytes)));
  }

  end(): Uint8Array {
    const rest = this.#translate(this.chat.end());
    if (!this.#hasStarted) throw malformedAnswer();
    const reason = stopReasonOf(this.#finish, this.#refusal);
    const end = this.#events.end(reason, stopDetailsOf(reason, this.#refusal), messagesUsageOf(this.chat.usage()));
    return Buffer.from(rest + end);
  }

  #translate(chunks: Uint8Array): string {
    let written = '';
    for (const { data } of this.#decoder.push(chunks)) {
      const text = data?.toString('utf8');
      if (text !== undefined && text !== DONE) written += this.#chunk(JSON.parse(text) as ChatCompletionChunk);
    }
    return written;
  }

  #chunk({ id, model, choices }: ChatCompletionChunk): string {
    let written = '';
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      written += this.#events.start(messageIdOf(id), model, {
        ...messagesUsageOf(this.chat.usage()),
        output_tokens: 0,
      });
    }
    const [choice] = choices;
    if (choice === undefined) return written;
    if (choice.finish_reason != null) this.#finish = choice.finish_reason;
    return written + this.#delta(choice.delta ?? {});
  }

  #delta({ content, reasoning_content: reasoning, refusal, tool_calls: calls }: ChatDelta): string {
    let written = '';
    if (this.withThinking && reasoning) written += this.#events.thinking(reasoning);
    if (content) written += this.#events.text(content);
    if (refusal) this.#refusal += refusal;
    for (const piece of calls ?? []) written += this.#call(piece);
    return written;
  }

  #call({ index, id, type: _type, function: called, ...extra }: CallPiece): string {
    let written = '';
    let block = this.#blocks.get(index);
    if (block === undefined) {
      const begun = this.#events.toolUse(clientToolId(id ?? `call_${index}`, extra), called?.name ?? '');
      block = begun.index;
      this.#blocks.set(index, block);
      written += begun.events;
    }
    return called?.arguments ? written + this.#events.toolInput(block, called.arguments) : written;
  }
}

/** Collects a stream that only the upstream wanted: nothing until the end, then the whole. */
export class CollectedMessageReader implements StreamReader {
  constructor(
    private readonly chat: StreamReader,
    private readonly messageOf: (completion: Uint8Array, usage: Usage) => Uint8Array,
  ) {}

  get isFinal(): boolean {
    return this.chat.isFinal;
  }

  get upstreamId(): string | undefined {
    return this.chat.upstreamId;
  }

  usage(): Usage {
    return this.chat.usage();
  }

  read(bytes: Uint8Array): Uint8Array {
    return this.chat.read(bytes);
  }

  end(): Uint8Array {
    const completion = this.chat.end();
    return this.messageOf(completion, this.chat.usage());
  }
}
