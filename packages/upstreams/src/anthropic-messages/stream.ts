import { isJsonObject, type JsonObject, type Usage } from '@gateway/contracts';
import { BlockWriter } from '../answer-parts/block-writer.js';
import { malformedResponse, parseExactUpstreamJson, responseCutShort } from '../failures/malformed-response.js';
import { estimatePromptTokens } from '../metering/estimate-prompt-tokens.js';
import { OutputMeter } from '../metering/output-meter.js';
import { estimatedUsageOf, type TokenCounts } from '../metering/token-counts.js';
import type { AnswerDecoder, AnswerSink, NeutralCall } from '../protocol.js';
import type { SseEvent } from '../sse/sse-event.js';
import { BlockDecoder } from './block-decoder.js';
import { errorInResponse } from './errors.js';
import { finishOf } from './finish.js';
import { messagesUsageOf } from './reported-usage.js';
import { mergeUsage, readMessagesUsage, readPromptCounts } from './usage.js';
import { EVENTS, type EventOf, readBlockDelta } from './wire.js';

export const openDecoder = (call: NeutralCall, sink: AnswerSink): AnswerDecoder => new MessageDecoder(call, sink);

/** Decodes message events: platform.claude.com/docs/en/build-with-claude/streaming. */
class MessageDecoder implements AnswerDecoder {
  readonly #meter: OutputMeter;
  readonly #writer: BlockWriter;
  readonly #blocks: BlockDecoder;
  #messageId: string | undefined;
  #usage: JsonObject = {};
  /** True once `message_delta` brought the counts. Those of `message_start` are provisional. */
  #hasFinalUsage = false;
  #hasFinishReason = false;
  #isStopped = false;

  constructor(
    call: NeutralCall,
    private readonly sink: AnswerSink,
  ) {
    this.#meter = new OutputMeter(estimatePromptTokens(call.request));
    this.#writer = new BlockWriter(sink, this.#meter);
    this.#blocks = new BlockDecoder(this.#writer);
  }

  get hasEnded(): boolean {
    return this.#isStopped;
  }

  get isFinal(): boolean {
    return this.#isStopped;
  }

  get upstreamId(): string | undefined {
    return this.#messageId;
  }

  usage(): Usage {
    const exact = this.#exactCounts();
    return exact === undefined
      ? estimatedUsageOf(this.#estimate(), readPromptCounts(this.#usage))
      : messagesUsageOf(exact, false, this.#usage);
  }

  counts(): TokenCounts {
    return this.#exactCounts() ?? this.#estimate();
  }

  handle({ data }: SseEvent): void {
    if (data === undefined || this.#isStopped) return;
    const event = parseExactUpstreamJson(data);
    if (!isJsonObject(event)) throw malformedResponse();
    const type = event.type;
    if (typeof type !== 'string') throw malformedResponse();
    if (type === 'error') throw errorInResponse(event);
    this.#event(type, event);
  }

  close(): void {
    if (!this.#isStopped) throw responseCutShort();
  }

  /** Skips unknown event types: the vendor announces that it will add some. */
  #event(type: string, event: JsonObject): void {
    if (type === 'content_block_delta') this.#blockDelta(event);
    else if (type === 'message_start') this.#start(parse('message_start', event));
    else if (!Object.hasOwn(EVENTS, type) && type !== 'message_stop') return;
    // Every other event belongs to a message.
    else if (this.#messageId === undefined) throw malformedResponse();
    else if (type === 'content_block_start') this.#blocks.start(parse('content_block_start', event));
    else if (type === 'content_block_stop') this.#blocks.stop(parse('content_block_stop', event).index);
    else if (type === 'message_delta') this.#messageDelta(parse('message_delta', event));
    else this.#stop();
  }

  #blockDelta(event: JsonObject): void {
    const delta = readBlockDelta(event);
    if (delta === undefined || this.#messageId === undefined) throw malformedResponse();
    this.#blocks.delta(delta);
  }

  #start({ message }: EventOf<'message_start'>): void {
    if (this.#messageId !== undefined) {
      // The vendor may repeat the start of the open message. Another message would mix two responses.
      if (message.id !== this.#messageId) throw malformedResponse();
      return;
    }
    this.#messageId = message.id;
    this.#usage = mergeUsage({}, message.usage);
    this.sink.open({ id: message.id });
  }

  #messageDelta({ delta, usage }: EventOf<'message_delta'>): void {
    if (isJsonObject(usage)) {
      this.#usage = mergeUsage(this.#usage, usage);
      this.#hasFinalUsage = usage.output_tokens != null;
    }
    if (delta.stop_reason == null || this.#hasFinishReason) return;
    this.#writer.refusal(delta.stop_reason === 'refusal' ? (delta.stop_details?.explanation ?? '') : '');
    this.#finish(delta.stop_reason, delta.stop_sequence ?? undefined);
  }

  #stop(): void {
    if (!this.#hasFinishReason) this.#finish('end_turn', undefined);
    this.#isStopped = true;
  }

  #finish(stopReason: string, stopSequence: string | undefined): void {
    this.#hasFinishReason = true;
    this.#writer.finish(finishOf(stopReason), stopSequence);
  }

  #exactCounts(): TokenCounts | undefined {
    return this.#hasFinalUsage ? readMessagesUsage(this.#usage) : undefined;
  }

  #estimate(): TokenCounts {
    return this.#meter.estimate(readPromptCounts(this.#usage));
  }
}

function parse<Name extends keyof typeof EVENTS>(name: Name, event: JsonObject): EventOf<Name> {
  const parsed = EVENTS[name].safeParse(event);
  if (!parsed.success) throw malformedResponse();
  return parsed.data as EventOf<Name>;
}
