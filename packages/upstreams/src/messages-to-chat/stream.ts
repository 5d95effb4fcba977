import type { Usage } from '@gateway/contracts';
import { malformedResponse } from '../failures/malformed-response.js';
import { parseWireChunk, type WireChunk } from '../openai-compatible-chat/completion-wire.js';
import type { StreamReader } from '../protocol.js';
import { SseDecoder } from '../sse/sse-decoder.js';
import { MessageEvents } from './message-events.js';
import { type MessageFrame, messageIdOf, messagesUsageOf, stopDetailsOf, stopReasonOf } from './message-frame.js';
import { clientToolId, extraOf } from './tool-call-id.js';

const DONE = Buffer.from('[DONE]');

type Delta = NonNullable<NonNullable<WireChunk['choices']>[number]['delta']>;
type CallDelta = NonNullable<Delta['tool_calls']>[number];

/** Translates the chunks of a chat protocol's reader into message events. */
export class MessageStreamReader implements StreamReader {
  readonly #decoder = new SseDecoder();
  readonly #events = new MessageEvents();
  /** Block index of each tool call, by its index in the chunks. */
  readonly #blocks = new Map<number, number>();
  #hasStarted = false;
  #finish = '';
  #refusal = '';

  constructor(
    private readonly chat: StreamReader,
    private readonly frame: MessageFrame,
  ) {}

  get isFinal(): boolean {
    return this.chat.isFinal;
  }

  get isBilledFailure(): boolean {
    return this.chat.isBilledFailure === true;
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
    const lastEvents = this.#translate(this.chat.end());
    if (!this.#hasStarted) throw malformedResponse();
    const reason = stopReasonOf(this.#finish, this.#refusal);
    const end = this.#events.end(reason, stopDetailsOf(reason, this.#refusal), messagesUsageOf(this.chat.usage()));
    return Buffer.from(lastEvents + end);
  }

  #translate(chunks: Uint8Array): string {
    let written = '';
    for (const { data } of this.#decoder.push(chunks)) {
      if (data !== undefined && !data.equals(DONE)) written += this.#chunk(parseWireChunk(data));
    }
    return written;
  }

  #chunk({ id, choices }: WireChunk): string {
    let written = '';
    if (!this.#hasStarted) {
      this.#hasStarted = true;
      written += this.#events.start(messageIdOf(id, this.frame), this.frame.model, {
        ...messagesUsageOf(this.chat.usage()),
        output_tokens: 0,
      });
    }
    const [choice] = choices ?? [];
    if (choice === undefined) return written;
    if (choice.finish_reason != null) this.#finish = choice.finish_reason;
    return written + this.#delta(choice.delta ?? {});
  }

  #delta({ content, reasoning_content: reasoning, refusal, tool_calls: calls }: Delta): string {
    let written = '';
    if (this.frame.showsThinking && reasoning) written += this.#events.thinking(reasoning);
    if (content) written += this.#events.text(content);
    if (refusal) this.#refusal += refusal;
    for (const call of calls ?? []) written += this.#call(call);
    return written;
  }

  #call(delta: CallDelta): string {
    const { index, id, function: called } = delta;
    let written = '';
    let block = this.#blocks.get(index);
    if (block === undefined) {
      const opened = this.#events.toolUse(clientToolId(id ?? `call_${index}`, extraOf(delta)), called?.name ?? '');
      block = opened.index;
      this.#blocks.set(index, block);
      written += opened.events;
    }
    return called?.arguments ? written + this.#events.toolInput(block, called.arguments) : written;
  }
}

/** Converts a collected completion at the end of the stream. For a client that does not stream. */
export class CollectedMessageReader implements StreamReader {
  constructor(
    private readonly chat: StreamReader,
    private readonly messageOf: (completion: Uint8Array, usage: Usage) => Uint8Array,
  ) {}

  get isFinal(): boolean {
    return this.chat.isFinal;
  }

  get isBilledFailure(): boolean {
    return this.chat.isBilledFailure === true;
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
